import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workers } from './lib/build/entries.ts';
import { dashboardDirectory } from './lib/build/paths.ts';

const behindTheApi = new Set<string>(workers);
/** They alone of the API ask S3 itself, with its client. */
const uploads = new Set(['create-upload', 'sign-upload-parts', 'complete-upload']);

/** A caller waits for the cold start of an API function; nobody waits for a worker's. */
function limitOf(name: string): string {
  if (behindTheApi.has(name)) return '700 kB';
  return uploads.has(name) ? '500 kB' : '460 kB';
}

type Chunk = { file: string; imports?: string[]; css?: string[] };

/** What a browser loads before it shows the list of jobs: the page, and all that it imports at once. */
function firstLoad(): string[] {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(dashboardDirectory, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Set(['index.html', 'color-scheme.js', 'icon.svg']);
  const visit = (name: string) => {
    const { file = '', imports = [], css = [] } = manifest[name] ?? {};
    if (files.has(file)) return;
    for (const one of [file, ...css]) files.add(one);
    imports.forEach(visit);
  };
  visit('index.html');
  return [...files].map((file) => join(dashboardDirectory, file));
}

const functions = readdirSync('.build/functions').map((name) => ({
  name,
  path: `.build/functions/${name}/index.js`,
  limit: limitOf(name),
  brotli: false,
}));

// biome-ignore lint/style/noDefaultExport: size-limit reads the default export.
export default [
  ...functions,
  { name: 'dashboard, first load', path: firstLoad(), limit: '200 kB', gzip: true, brotli: false },
];
