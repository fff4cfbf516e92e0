import { stat } from 'node:fs/promises';
import { expect } from 'vitest';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import { type BothWays, joinedWork } from './encode-chunked.ts';
import { frameTimes } from './judge-media.ts';
import { samplesOf } from './judge-sound.ts';

/** Nobody can tell the joined file from that of one pass: the same pictures at the same times, the same sound. */
export async function expectAsOnePass(both: BothWays): Promise<void> {
  const { single, chunked, parts } = both;
  expect(parts.chunks.length).toBeGreaterThan(1);
  expect(await frameTimes(chunked)).toEqual(await frameTimes(single));
  const [whole, joined] = [await samplesOf(single), await samplesOf(chunked)];
  expect(joined.length).toBe(whole.length);
  expect(joined.findIndex((sample, index) => sample !== whole[index])).toBe(-1);
  const [before, after] = [(await stat(single)).size, (await stat(chunked)).size];
  expect(Math.abs(after / before - 1)).toBeLessThan(0.06);
  expect(flawOfJoin(await joinedWork(both))).toBeUndefined();
}
