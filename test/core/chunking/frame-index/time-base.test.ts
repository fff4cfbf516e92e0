import { expect, it } from 'vitest';
import {
  parseTimeBase,
  secondsToTicks,
  ticksToSeconds,
} from '../../../../core/chunking/frame-index/time-base.ts';

const ntsc = { numerator: 1001, denominator: 30_000 };

it('reads what a container states', () => {
  expect(parseTimeBase('1001/30000')).toEqual(ntsc);
});

it.each(['0/1', '1/0', '', 'N/A', '1/x'])('makes nothing of %o', (text) => {
  expect(parseTimeBase(text)).toBeUndefined();
});

it('finds the same tick again from microseconds', () => {
  const fine = { numerator: 1, denominator: 90_000 };
  for (const ticks of [1, 902, 8_589_934_591])
    expect(secondsToTicks(ticksToSeconds(ticks, fine), fine)).toBe(ticks);
  expect(secondsToTicks(ticksToSeconds(431_567, ntsc), ntsc)).toBe(431_567);
});

it('rounds halves away from zero, on both sides', () => {
  const slow = { numerator: 1, denominator: 10 };
  expect([secondsToTicks(0.25, slow), secondsToTicks(-0.25, slow)]).toEqual([3, -3]);
});
