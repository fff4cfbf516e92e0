import { describe, expect, it } from 'vitest';
import { type AssembledRange, assemblyParts, minPartBytes, sizeOf } from '../../../core/storage/assembly.ts';

const mib = 1024 * 1024;

function aRange(sizeBytes: number, start = 100): AssembledRange {
  return { key: `work/${sizeBytes}`, etag: '"1"', start, end: start + sizeBytes };
}

/** What S3 accepts: every part but the last has 5 MiB, and what is copied always does. */
function expectAccepted(ranges: readonly AssembledRange[]) {
  const parts = assemblyParts(ranges);
  const sizes = parts.map((part) => sizeOf('copied' in part ? [part.copied] : part.uploaded));
  for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(minPartBytes);
  for (const part of parts) {
    if (!('copied' in part)) continue;
    expect(sizeOf([part.copied])).toBeGreaterThanOrEqual(minPartBytes);
    expect(sizeOf([part.copied])).toBeLessThanOrEqual(256 * mib);
  }
  const inOrder = parts.flatMap((part) => ('copied' in part ? [part.copied] : part.uploaded));
  expect(bytesOf(inOrder)).toEqual(bytesOf(ranges));
  return { parts, sizes };
}

/** Neighbouring ranges of an object become one. */
function bytesOf(ranges: readonly AssembledRange[]): AssembledRange[] {
  const merged: AssembledRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    const continues =
      last && !('bytes' in last) && !('bytes' in range) && last.key === range.key && last.end === range.start;
    if (continues && !('bytes' in range)) merged.splice(-1, 1, { ...last, end: range.end });
    else merged.push(range);
  }
  return merged;
}

describe('the parts of an assembled object', () => {
  it('are copies of large ranges, after a header that is completed from the first', () => {
    const { parts, sizes } = expectAccepted([{ bytes: new Uint8Array(mib) }, aRange(20 * mib), aRange(30 * mib)]);
    expect(sizes).toEqual([5 * mib, 16 * mib, 30 * mib]);
    expect(parts.map((part) => 'copied' in part)).toEqual([false, true, true]);
  });

  it('are uploads where all ranges are small', () => {
    const { parts, sizes } = expectAccepted(Array.from({ length: 9 }, (_, index) => aRange(2 * mib + index)));
    expect(parts.some((part) => 'copied' in part)).toBe(false);
    expect(Math.max(...sizes)).toBeLessThan(10 * mib);
  });

  it('complete a small range with the start of the next one', () => {
    const { sizes } = expectAccepted([aRange(20 * mib), aRange(mib), aRange(20 * mib), aRange(mib)]);
    expect(sizes).toEqual([20 * mib, 5 * mib, 16 * mib, mib]);
  });

  it('do not cut a range so that its rest is too small', () => {
    const { sizes } = expectAccepted([aRange(mib), aRange(8 * mib), aRange(6 * mib)]);
    expect(sizes).toEqual([9 * mib, 6 * mib]);
  });

  it('divide a range whose copy would take long', () => {
    const { sizes } = expectAccepted([aRange(512 * mib + 1)]);
    expect(sizes).toHaveLength(3);
  });

  it.each([1, 2, 3, 4, 5])('are accepted by S3 for any sizes (%i)', (seed) => {
    // A linear congruential generator: the same sizes in every run.
    let state = seed;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    const ranges = Array.from({ length: 200 }, (_, index) => aRange(1 + Math.floor(random() ** 3 * 40 * mib), index));
    expectAccepted([{ bytes: new Uint8Array(Math.floor(random() * 8 * mib)) }, ...ranges]);
  });
});
