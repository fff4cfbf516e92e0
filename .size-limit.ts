import { readdirSync } from 'node:fs';
import { workers } from './lib/build/entries.ts';

const behindTheApi = new Set<string>(workers);
/** They alone of the API ask S3 itself, with its client. */
const uploads = new Set(['create-upload', 'complete-upload']);

/** A caller waits for the cold start of an API function; nobody waits for a worker's. */
function limitOf(name: string): string {
  if (behindTheApi.has(name)) return '700 kB';
  return uploads.has(name) ? '550 kB' : '450 kB';
}

// biome-ignore lint/style/noDefaultExport: size-limit reads the default export.
export default readdirSync('.build/functions').map((name) => ({
  name,
  path: `.build/functions/${name}/index.js`,
  limit: limitOf(name),
  brotli: false,
}));
