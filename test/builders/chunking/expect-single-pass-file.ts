import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findJoinDefect } from '../../../core/chunking/verify/verify-join.ts';
import { audioSamples } from '../measure/measure-audio.ts';
import { frameTimes } from '../measure/measure-video.ts';
import { bareFfmpeg } from '../media/bare-ffmpeg.ts';
import { anEncoder, aTemporaryDirectory } from '../recipes/encode.ts';
import { type BothWays, joinMeasurements } from './encode-both-ways.ts';

/** Nobody can tell the joined files from those of one pass, and the joins are found to be without a flaw. */
export async function expectSinglePassFile(both: BothWays): Promise<void> {
  expect(both.commands.chunks.length).toBeGreaterThan(1);
  for (const { output, chunked, single } of both.files) {
    await expectSameFile(chunked, single, { isSilent: output.expectation?.audio === undefined });
  }
  await expectNoJoinDefect(both);
}

export async function expectNoJoinDefect(both: BothWays): Promise<void> {
  for (const size of both.commands.join.videos.keys()) {
    expect(findJoinDefect(await joinMeasurements(both, size))).toBeUndefined();
  }
}

/** The same pictures at the same times, and the same sound, or none in both. */
export async function expectSameFile(
  joined: string,
  single: string,
  { isSilent = false }: { isSilent?: boolean } = {},
): Promise<void> {
  expect(await frameTimes(joined)).toEqual(await frameTimes(single));
  await expectSameFrames(joined, single);
  await (isSilent ? expectNoSound(joined) : expectSameAudio(joined, single));
}

/** All pictures are alike, and it took about as many bytes to make them so. */
export async function expectSameFrames(joined: string, single: string): Promise<void> {
  expect(await leastSsim(joined, single)).toBeGreaterThan(0.9);
  const [after, before] = [(await stat(joined)).size, (await stat(single)).size];
  expect(Math.abs(after / before - 1)).toBeLessThan(0.06);
}

async function expectNoSound(path: string): Promise<void> {
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ kind }) => kind)).toEqual(['video']);
}

export async function expectSameAudio(joined: string, single: string): Promise<void> {
  const [after, before] = [await audioSamples(joined), await audioSamples(single)];
  expect(after.length).toBe(before.length);
  expect(after.findIndex((sample, index) => sample !== before[index])).toBe(-1);
}

/** How alike the two pictures are that are least alike, of all that are shown at the same place in the order. */
async function leastSsim(left: string, right: string): Promise<number> {
  const file = join(await aTemporaryDirectory(), 'ssim.txt');
  const graph = `[0:v][1:v]ssim=stats_file=${file}`;
  await bareFfmpeg(['-i', left, '-i', right, '-filter_complex', graph, '-f', 'null', '-']);
  const lines = (await readFile(file, 'utf8')).matchAll(/All:([\d.]+)/g);
  return Math.min(...[...lines].map(([, value]) => Number(value)));
}
