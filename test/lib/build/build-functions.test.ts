import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeImageContext } from '../../../lib/build/build-functions.ts';
import { root } from '../../../lib/build/paths.ts';

it("the image context contains all files that the Dockerfile copies and the layer's script reads", async () => {
  const outDirectory = await mkdtemp(path.join(tmpdir(), 'media-jobs-image-'));
  onTestFinished(() => rm(outDirectory, { recursive: true }));
  const bundleFile = path.join(outDirectory, 'bundle.js');
  await writeFile(bundleFile, 'exports.handler = () => {};');

  const names = ['index.js', 'encode-chunk.js', 'join-chunks.js'];
  const bundles = Object.fromEntries(names.map((name) => [name, bundleFile]));
  await writeImageContext({ root, bundles, outDirectory });

  const dockerfile = await readFile(path.join(outDirectory, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const script = await readFile(path.join(outDirectory, 'ffmpeg/build.sh'), 'utf8');
  const read = [...script.matchAll(/"\$layer\/([\w.]+)"/g)].map(([, name]) => `ffmpeg/${name}`);
  expect(copied).toEqual(['ffmpeg/', ...names]);
  expect(read).toEqual(['ffmpeg/version', 'ffmpeg/NOTICE.md']);
  for (const file of [...copied, ...read]) expect(existsSync(path.join(outDirectory, file)), file).toBe(true);
});
