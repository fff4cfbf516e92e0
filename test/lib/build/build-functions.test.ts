import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeImageContext } from '../../../lib/build/build-functions.ts';
import { root } from '../../../lib/build/paths.ts';

it("the image context contains all files that the Dockerfile copies and the layers' scripts read", async () => {
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
  const read: string[] = [];
  for (const layer of ['ffmpeg', 'vmaf']) {
    const script = await readFile(path.join(outDirectory, layer, 'build.sh'), 'utf8');
    read.push(...[...script.matchAll(/"\$layer\/([\w.]+)"/g)].map(([, name]) => `${layer}/${name}`));
  }
  expect(copied).toEqual(['ffmpeg/', 'vmaf/', ...names]);
  // A folder of sources takes the place of the download.
  const optional = 'vmaf/tree';
  expect(read.filter((file) => file !== optional)).toEqual([
    ...['ffmpeg/version', 'ffmpeg/NOTICE.md', 'vmaf/source', 'vmaf/NOTICE.md'],
  ]);
  for (const file of [...copied, ...read].filter((name) => name !== optional))
    expect(existsSync(path.join(outDirectory, file)), file).toBe(true);
});
