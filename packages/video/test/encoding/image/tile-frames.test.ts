import { expect, it } from 'vitest';
import { timesWithoutKeyframe } from '../../../src/encoding/image/tile-frames.ts';

/** What the filter prints: the time before a frame, as a negative number, and that of the frame. */
const logOf = (...pairs: [before: number, time: number][]) =>
  pairs
    .flatMap(([before, time]) => [-2 - before, time])
    .map((value) => `[Parsed_select_0 @ 0x55d0] ${value}.000000\n`)
    .join('');

it.each<[string, number, number[]]>([
  [logOf([0, 1], [1, 2]), 3, []],
  [logOf([0, 2], [2, 3]), 4, [1]],
  [logOf([0, 3], [3, 4]), 7, [1, 2, 5, 6]],
  ['', 3, [1, 2]],
  // Of more than 32 times, only the last ones and gaps are printed.
  [logOf([4, 6], ...Array.from({ length: 32 }, (_, index): [number, number] => [7 + index, 8 + index])), 40, [5]],
  [logOf([4, 36]), 40, [...Array.from({ length: 31 }, (_, index) => 5 + index), 37, 38, 39]],
])('reads the times without a keyframe nearby from %j of %d', (log, count, expected) => {
  expect(timesWithoutKeyframe(log, count)).toEqual(expected);
});

it('knows none of many times without a line', () => expect(timesWithoutKeyframe('', 40)).toHaveLength(40));
