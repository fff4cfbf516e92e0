import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { getEmbedPageContract } from '../../core/api/playback.ts';
import { contracts } from '../../core/api/registry.ts';
import { embedPageFile } from '../../core/playback/embed-page.ts';
import { type Bundle, bundle } from './bundle.ts';
import { entries } from './entries.ts';
import { buildDirectory, root } from './paths.ts';
import { removeOthers, writeIfChanged } from './write-if-changed.ts';

/**
 * Files of the workers' image, and the function of each. The command of a container names the file: `.cjs`, since node runs it
 * itself, which takes a `.js` below this repository's package.json for an ES module.
 */
const imageFiles = {
  'index.js': 'transcode',
  'encode-chunk.js': 'encode-chunk',
  'join-chunks.js': 'join-chunks',
  'fargate-task.cjs': 'fargate-task',
};

/** Builds what a stage deploys: one bundle per function, and the build context of the workers' image. */
export async function buildFunctions(): Promise<Bundle[]> {
  const functions = path.join(buildDirectory, 'functions');
  const bundles = await bundle({ root, entries: entries(contracts), outDirectory: functions });
  await buildEmbedPage(path.join(functions, getEmbedPageContract.function));
  await writeImageContext({
    root,
    bundles: Object.fromEntries(
      Object.entries(imageFiles).map(([file, name]) => [file, path.join(functions, name, 'index.js')]),
    ),
    outDirectory: path.join(buildDirectory, 'images/transcode'),
  });
  return bundles;
}

export type ImageContextOptions = {
  root: string;
  /** The bundle of each worker, by its file name in the image. */
  bundles: Readonly<Record<string, string>>;
  outDirectory: string;
};

/**
 * Writes the build context of the workers' image: Dockerfile, bundles, and the folders it copies. Synthesis needs no
 * Docker.
 */
export async function writeImageContext({ root, bundles, outDirectory }: ImageContextOptions): Promise<void> {
  const transcode = path.join(root, 'functions/transcode');
  const files = new Map([
    ...['Dockerfile', 'start.sh', 'take-credentials.cjs'].map((name) => [name, path.join(transcode, name)] as const),
    ...Object.entries(bundles),
  ]);
  const folders = ['layers/ffmpeg', 'layers/vmaf', 'layers/launcher', 'functions/transcode/runtime-client'];
  for (const folder of folders.map((name) => path.join(root, name))) {
    const copy = path.basename(folder);
    const names = await readdir(folder);
    for (const name of names) files.set(`${copy}/${name}`, path.join(folder, name));
    await removeOthers(path.join(outDirectory, copy), names);
  }
  for (const [name, source] of files) await writeIfChanged(path.join(outDirectory, name), await readFile(source));
}

const sources = path.join(root, 'packages/dashboard/embed');

/** Builds the player's page, one file with its script and style, beside the bundle of the function that serves it. */
async function buildEmbedPage(functionDirectory: string): Promise<void> {
  const read = (name: string) => readFile(path.join(sources, name), 'utf8');
  const [html, css, { outputFiles }] = await Promise.all([
    read('page.html'),
    read('page.css'),
    build({
      entryPoints: [path.join(sources, 'page.ts')],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      legalComments: 'none',
    }),
  ]);
  const { code: style } = await transform(css, { loader: 'css', minify: true });
  const page = html
    .replace('</head>', () => `<style>${style}</style></head>`)
    .replace('</body>', () => `<script>${outputFiles[0]?.text}</script></body>`);
  await writeIfChanged(path.join(functionDirectory, embedPageFile), Buffer.from(page));
}
