import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { aDirectory } from './encode.ts';
import { type BothWays, joinedWork } from './encode-chunked.ts';
import { frameTimes } from './judge-media.ts';
import { samplesOf } from './judge-sound.ts';

/** Nobody can tell the joined file from that of one pass: the same pictures at the same times, the same sound. */
export async function expectAsOnePass(both: BothWays): Promise<void> {
  const { single, chunked, parts } = both;
  expect(parts.chunks.length).toBeGreaterThan(1);
  expect(await frameTimes(chunked)).toEqual(await frameTimes(single));
  expect(await leastSsim(chunked, single)).toBeGreaterThan(0.9);
  const [whole, joined] = [await samplesOf(single), await samplesOf(chunked)];
  expect(joined.length).toBe(whole.length);
  expect(joined.findIndex((sample, index) => sample !== whole[index])).toBe(-1);
  const [before, after] = [(await stat(single)).size, (await stat(chunked)).size];
  expect(Math.abs(after / before - 1)).toBeLessThan(0.06);
  expect(flawOfJoin(await joinedWork(both))).toBeUndefined();
}

/** How alike the two pictures are that are least alike, of all that are shown at the same place in the order. */
async function leastSsim(left: string, right: string): Promise<number> {
  const file = join(await aDirectory(), 'ssim.txt');
  const graph = `[0:v][1:v]ssim=stats_file=${file}`;
  await bareFfmpeg(['-i', left, '-i', right, '-filter_complex', graph, '-f', 'null', '-']);
  const lines = (await readFile(file, 'utf8')).matchAll(/All:([\d.]+)/g);
  return Math.min(...[...lines].map(([, value]) => Number(value)));
}
