// @module-tag nightly
// @module-tag chunks
// @module-tag quality
import { bareFfmpeg, cachedFile, measureVmaf } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';

const seconds = 24;
const x264 = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '10', '-pix_fmt', 'yuv420p'],
  ...['-x264-params', 'keyint=48:min-keyint=48:scenecut=0'],
];

it.each([
  ['zoom', 'mandelbrot=size=320x180:rate=25:end_scale=0.01'],
  ['pattern', 'testsrc2=size=320x180:rate=25'],
])('chunks of the moving %s have the VMAF score of a single pass', async (name, graph) => {
  const recipe = ['-f', 'lavfi', '-i', graph, '-t', String(seconds), ...x264];
  const make = (path: string) => bareFfmpeg(['-v', 'error', ...recipe, path]);
  const source = await cachedFile({ name: `${name}.mp4`, recipe }, make);
  const compress = { name: 'compress', crf: 23 } as const;
  const { single, chunked, work } = await encodeBothWays(source, 'mp4', compress, { targetChunkSeconds: 8 });
  expect(work.chunks.length).toBeGreaterThan(1);
  expect(Math.abs((await measureVmaf(chunked, source)) - (await measureVmaf(single, source)))).toBeLessThan(0.1);
});
