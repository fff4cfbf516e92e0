import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workers } from './lib/build/entries.ts';
import { dashboardDirectory } from './lib/build/paths.ts';

const workerNames = new Set<string>(workers);
/** API functions with the S3 client, or with the parameters of every recipe. */
const largeNames = new Set(['create-upload', 'sign-upload-parts', 'complete-upload', 'get-openapi']);

/** API functions with the clients of S3, KMS and STS. */
const providerNames = new Set(['get-file', 'head-file', 'test-storage-provider']);

/** API functions are smaller than workers: a caller waits for their cold start. */
function limitOf(name: string): string {
  // It has the clients of KMS and STS, the cost model, the prices and the choice of a worker besides all recipes.
  if (name === 'transcode') return '1.26 MB';
  // Sources may set cookies: the list of public suffixes has 130 kB.
  if (workerNames.has(name)) return '1.19 MB';
  if (providerNames.has(name)) return '600 kB';
  // The contracts of all recipes and the client of KMS, for content keys.
  if (name === 'create-job') return '490 kB';
  // Plans every recipe as the transcoder does, and reads a probe from S3.
  if (name === 'estimate-job') return '735 kB';
  return largeNames.has(name) ? '520 kB' : '460 kB';
}

type Chunk = { file: string; imports?: string[]; css?: string[] };

/** Files that a browser loads before it shows the list of jobs: the page and its static imports. */
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
