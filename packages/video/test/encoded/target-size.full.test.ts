// @module-tag nightly
// @module-tag quality
import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

/** 8 s whose second half is much harder to encode than its first. */
function aClipOfVariableComplexity(): Promise<string> {
  const easy = 'testsrc2=size=480x270:rate=25:duration=4';
  const hard = 'testsrc2=size=480x270:rate=25:duration=4,noise=alls=40:allf=t';
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=8'];
  const graph = `${easy}[a];${hard}[b];[a][b]concat=n=2[v]`;
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  return generatedFile('variable-complexity.mp4', [
    ...tone,
    '-filter_complex',
    graph,
    ...'-map [v] -map 0:a'.split(' '),
    ...h264,
  ]);
}

it.each([
  ['h264', 'mp4', 0.4],
  ['h264', 'mkv', 2],
  ['h265', 'mp4', 0.5],
  ['vp9', 'webm', 0.5],
  ['av1', 'webm', 0.5],
] as const)('%s in %s has %s MB or up to two percent less', async (codec, format, targetSizeMb) => {
  const output = await encodeOne(await aClipOfVariableComplexity(), format, { name: 'transcode', codec, targetSizeMb });
  const megabytes = (await stat(output.path)).size / 1e6;
  expect(megabytes).toBeLessThanOrEqual(targetSizeMb);
  expect(megabytes).toBeGreaterThanOrEqual(0.98 * targetSizeMb);
});
