import { expect, it } from 'vitest';
import { parseTimeBase, secondsToTicks, ticksToSeconds } from '../../../src/chunking/frame-index/frame-index.ts';

const ntsc = { numerator: 1001, denominator: 30_000 };

it('a time base is parsed from the text of the container', () => expect(parseTimeBase('1001/30000')).toEqual(ntsc));

it.each(['0/1', '1/0', '', 'N/A', '1/x'])('%o is not a time base', (text) => {
  expect(parseTimeBase(text)).toBeUndefined();
});

it('ticks survive a round trip through microseconds', () => {
  const fine = { numerator: 1, denominator: 90_000 };
  for (const ticks of [1, 902, 8_589_934_591]) expect(secondsToTicks(ticksToSeconds(ticks, fine), fine)).toBe(ticks);
  expect(secondsToTicks(ticksToSeconds(431_567, ntsc), ntsc)).toBe(431_567);
});

it('half a tick rounds away from zero', () => {
  const slow = { numerator: 1, denominator: 10 };
  expect([secondsToTicks(0.25, slow), secondsToTicks(-0.25, slow)]).toEqual([3, -3]);
});
