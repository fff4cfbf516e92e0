import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { aDirectory, anEncoder } from './encode.ts';
import { type BothWays, joinedWork } from './encode-chunked.ts';
import { frameTimes } from './judge-media.ts';
import { samplesOf } from './judge-sound.ts';

/** Nobody can tell the joined files from those of one pass, and the joins are found to be without a flaw. */
export async function expectAsOnePass(both: BothWays): Promise<void> {
  expect(both.parts.chunks.length).toBeGreaterThan(1);
  for (const { output, chunked, single } of both.files) {
    await expectSameFile(chunked, single, { isSilent: output.expectation?.audio === undefined });
  }
  await expectNoFlaw(both);
}

export async function expectNoFlaw(both: BothWays): Promise<void> {
  for (const size of both.parts.joins.pictures.keys()) {
    expect(flawOfJoin(await joinedWork(both, size))).toBeUndefined();
  }
}

/** The same pictures at the same times, and the same sound, or none in both. */
export async function expectSameFile(
  joined: string,
  single: string,
  { isSilent = false }: { isSilent?: boolean } = {},
): Promise<void> {
  expect(await frameTimes(joined)).toEqual(await frameTimes(single));
  await expectSameLook(joined, single);
  await (isSilent ? expectNoSound(joined) : expectSameSound(joined, single));
}

/** All pictures are alike, and it took about as many bytes to make them so. */
export async function expectSameLook(joined: string, single: string): Promise<void> {
  expect(await leastSsim(joined, single)).toBeGreaterThan(0.9);
  const [after, before] = [(await stat(joined)).size, (await stat(single)).size];
  expect(Math.abs(after / before - 1)).toBeLessThan(0.06);
}

async function expectNoSound(path: string): Promise<void> {
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ kind }) => kind)).toEqual(['video']);
}

export async function expectSameSound(joined: string, single: string): Promise<void> {
  const [after, before] = [await samplesOf(joined), await samplesOf(single)];
  expect(after.length).toBe(before.length);
  expect(after.findIndex((sample, index) => sample !== before[index])).toBe(-1);
}

/** How alike the two pictures are that are least alike, of all that are shown at the same place in the order. */
async function leastSsim(left: string, right: string): Promise<number> {
  const file = join(await aDirectory(), 'ssim.txt');
  const graph = `[0:v][1:v]ssim=stats_file=${file}`;
  await bareFfmpeg(['-i', left, '-i', right, '-filter_complex', graph, '-f', 'null', '-']);
  const lines = (await readFile(file, 'utf8')).matchAll(/All:([\d.]+)/g);
  return Math.min(...[...lines].map(([, value]) => Number(value)));
}
