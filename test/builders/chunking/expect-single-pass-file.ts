import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { anEncoder, audioSamples, bareFfmpeg, frameTimes } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import type { BothWays } from './encode-both-ways.ts';
import { expectSameAudioTimes } from './expect-single-pass-audio.ts';

/** The joined files are equivalent to those of a single pass. `encodeBothWays` verified the join. */
export async function expectSinglePassFile(both: BothWays): Promise<void> {
  expect(both.work.chunks.length).toBeGreaterThan(1);
  for (const { output, chunked, single } of both.files) {
    await expectSameFile(chunked, single, { isSilent: output.expectation?.audio === undefined });
  }
}

/**
 * The same frames at the same times, and the same audio or none in both. Audio that was cut has the packets of a single pass
 * and as many samples.
 */
export async function expectSameFile(
  joined: string,
  single: string,
  { isSilent = false, isAudioCut = false }: { isSilent?: boolean; isAudioCut?: boolean } = {},
): Promise<void> {
  expect(await frameTimes(joined)).toEqual(await frameTimes(single));
  await expectSameFrames(joined, single);
  if (isSilent) await expectNoAudio(joined);
  else await (isAudioCut ? expectSameAudioTimes : expectSameAudio)(joined, single);
}

/** Every frame has a high SSIM, and the file sizes differ by less than 6 %. */
export async function expectSameFrames(joined: string, single: string): Promise<void> {
  // The lowest that was measured is 0.895, of a small rendition in H.265: an encoder that starts anew decides otherwise.
  expect(await minSsim(joined, single)).toBeGreaterThan(0.89);
  const [after, before] = [(await stat(joined)).size, (await stat(single)).size];
  expect(Math.abs(after / before - 1)).toBeLessThan(0.06);
}

async function expectNoAudio(path: string): Promise<void> {
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ kind }) => kind)).toEqual(['video']);
}

export async function expectSameAudio(joined: string, single: string): Promise<void> {
  const [after, before] = [await audioSamples(joined), await audioSamples(single)];
  expect(after.length).toBe(before.length);
  expect(after.findIndex((sample, index) => sample !== before[index])).toBe(-1);
}

/** The lowest SSIM of two frames with the same number. */
async function minSsim(left: string, right: string): Promise<number> {
  const file = join(await aTemporaryFolder(), 'ssim.txt');
  const graph = `[0:v][1:v]ssim=stats_file=${file}`;
  await bareFfmpeg(['-i', left, '-i', right, '-filter_complex', graph, '-f', 'null', '-']);
  const lines = (await readFile(file, 'utf8')).matchAll(/All:([\d.]+)/g);
  return Math.min(...[...lines].map(([, value]) => Number(value)));
}
