import { expect, it } from 'vitest';
import {
  groupIntoSegments,
  measureSegmentRates,
  type Segment,
  targetDuration,
} from '../../../src/media/playlists/segment-rates.ts';

/** Segments one after the other, of so many seconds and bytes each. */
function segments(...list: readonly (readonly [seconds: number, sizeBytes: number])[]): Segment[] {
  let offset = 100;
  return list.map(([seconds, sizeBytes]) => {
    offset += sizeBytes;
    return { offset: offset - sizeBytes, sizeBytes, seconds };
  });
}

const usual = { usualSeconds: 4 };

it('a pause does not hide a peak, neither before it nor in its own segment', () => {
  const calm = segments([4, 1000], [4, 1000], [4, 1000]);
  const burst = [...calm, ...segments([4, 9000]), ...calm];
  const { peakBitsPerSecond } = measureSegmentRates(burst, usual);
  expect(peakBitsPerSecond).toBe(18_000);
  const paused = measureSegmentRates([...burst, ...segments([300, 200])], usual);
  expect(paused.peakBitsPerSecond).toBe(18_000);
  expect(paused.averageBitsPerSecond).toBeCloseTo((8 * 15_200) / 328, 6);
  // Loaded while the segment before it is shown.
  const within = measureSegmentRates([...calm, ...segments([300, 9000])], usual);
  expect(within.peakBitsPerSecond).toBe(18_000);
});

it('a segment that is somewhat longer counts by its length', () => {
  const { peakBitsPerSecond } = measureSegmentRates(segments([4, 1000], [6, 3000]), usual);
  expect(peakBitsPerSecond).toBe(4000);
});

it('the peak and average rates come from the largest segment and from all segments', () => {
  const rates = measureSegmentRates(segments([4, 1000], [4, 3000], [4, 2000]), usual);
  expect(rates).toEqual({ peakBitsPerSecond: 6000, averageBitsPerSecond: 4000 });
});

it('a short last segment counts together with the one before it', () => {
  const { peakBitsPerSecond } = measureSegmentRates(segments([4, 1000], [0.5, 1000]), usual);
  expect(peakBitsPerSecond).toBeCloseTo((8 * 2000) / 4.5, 6);
});

it('the peak of a very short stream is its average', () => {
  expect(measureSegmentRates(segments([0.04, 1000]), usual)).toEqual({
    peakBitsPerSecond: 200_000,
    averageBitsPerSecond: 200_000,
  });
  expect(measureSegmentRates([], usual)).toEqual({ peakBitsPerSecond: 0, averageBitsPerSecond: 0 });
});

it('fragments are joined until a segment is long enough', () => {
  const fragments = segments([2, 10], [2, 20], [2, 30], [2, 40], [9, 50], [2, 60]);
  expect(groupIntoSegments(fragments, 6)).toEqual([
    { offset: 100, sizeBytes: 60, seconds: 6 },
    { offset: 160, sizeBytes: 90, seconds: 11 },
    { offset: 250, sizeBytes: 60, seconds: 2 },
  ]);
});

it('the target duration is the longest, rounded, and at least a second', () => {
  expect(targetDuration(segments([6.006, 1], [5.4, 1]))).toBe(6);
  expect(targetDuration(segments([0.2, 1]))).toBe(1);
});
