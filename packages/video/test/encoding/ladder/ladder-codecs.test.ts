import { expect, it } from 'vitest';
import { crfLike, maxRateOf } from '../../../src/encoding/ladder/ladder.ts';

it('each codec has the rate factor that is as far from its default as that of x264', () => {
  expect([23.5, 26, 40].map((crf) => crfLike(crf, 'h264'))).toEqual([23.5, 26, 40]);
  expect([23, 26, 40].map((crf) => crfLike(crf, 'h265'))).toEqual([22, 25, 39]);
  expect([23, 26, 40].map((crf) => crfLike(crf, 'av1'))).toEqual([33, 37, 54]);
});

it('newer codecs have lower maximum bit rates, and none below 100 kbit/s', () => {
  expect((['h264', 'h265', 'av1'] as const).map((codec) => maxRateOf(codec, 5000))).toEqual([5000, 3350, 2500]);
  expect(maxRateOf('av1', 120)).toBe(100);
});
