import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { embedPageFile } from '../../core/playback/embed-page.ts';
import { root } from './paths.ts';
import { writeIfChanged } from './write-if-changed.ts';

const sources = path.join(root, 'packages/dashboard/embed');

/** Builds the player's page, one file with its script and style, beside the bundle of the function that serves it. */
export async function buildEmbedPage(functionDirectory: string): Promise<void> {
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
