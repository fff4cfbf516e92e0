import { readdirSync } from 'node:fs';
import { workers } from './lib/build/entries.ts';

const behindTheApi = new Set<string>(workers);

// biome-ignore lint/style/noDefaultExport: size-limit reads the default export.
export default readdirSync('.build/functions').map((name) => ({
  name,
  path: `.build/functions/${name}/index.js`,
  // A caller waits for the cold start of an API function; nobody waits for a worker's.
  limit: behindTheApi.has(name) ? '700 kB' : '450 kB',
  brotli: false,
}));
