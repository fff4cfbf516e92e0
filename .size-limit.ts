import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workers } from './lib/build/entries.ts';
import { dashboardDirectory } from './lib/build/paths.ts';

const workerNames = new Set<string>(workers);

/** API functions are smaller than workers: a caller waits for their cold start. The others have at most 460 kB. */
const limits: Readonly<Record<string, string>> = {
  // It has the clients of KMS, STS and Lambda, the cost model, the prices and the choice of a worker besides all recipes.
  transcode: '1.41 MB',
  // Transcode, encode-chunk and join-chunks together: a task of the pool encodes chunks itself.
  'fargate-task': '1.44 MB',
  // It makes jobs and cancels them, and reads the headers of sources for an estimate, for which it has the cost model. Nobody waits for it.
  'run-batch': '1.52 MB',
  // Estimates plan every recipe as the transcoder does, and read a probe from S3; the API's document has every contract.
  'submission/catalogue': '910 kB',
  // The clients of S3, KMS and STS.
  files: '605 kB',
  storage: '636 kB',
  // The client of S3.
  'submission/uploads': '520 kB',
  // The contracts of all recipes, of graphs of outputs and of presets, and the client of KMS, for content keys.
  'submission/create-job': '540 kB',
  // As create-job, with the client of Step Functions.
  'submission/batches': '540 kB',
  // Retries a job under the contracts of all recipes, and stops state machines.
  jobs: '645 kB',
};

function limitOf(name: string): string {
  // Sources may set cookies: the list of public suffixes has 130 kB.
  return limits[name] ?? (workerNames.has(name) ? '1.21 MB' : '460 kB');
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

const functions = globSync('*/*.js', { cwd: '.build/functions' }).map((file) => {
  const name = file.replace(/(\/index)?\.js$/, '');
  return { name, path: `.build/functions/${file}`, limit: limitOf(name), brotli: false };
});

// biome-ignore lint/style/noDefaultExport: size-limit reads the default export.
export default [
  ...functions,
  {
    name: '@media-jobs/client, packed',
    path: '.build/packages/media-jobs-client-*.tgz',
    limit: '40 kB',
    brotli: false,
  },
  { name: '@media-jobs/mcp, installed', path: '.build/packages/mcp/**', limit: '2 MB', brotli: false },
  // The functions and the dashboard, zipped, and the fonts of the image.
  { name: '@media-jobs/cdk, packed', path: '.build/packages/media-jobs-cdk-*.tgz', limit: '10 MB', brotli: false },
  { name: 'media-jobs, installed', path: '.build/packages/cli/**', limit: '3 MB', brotli: false },
  { name: 'dashboard, first load', path: firstLoad(), limit: '201 kB', gzip: true, brotli: false },
];
