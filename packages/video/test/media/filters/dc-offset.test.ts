import { expect, it } from 'vitest';
import { isOffsetLimited, readDcOffset } from '../../../src/media/filters/loudness.ts';

it.each([
  ['[Parsed_astats_0 @ 0x1] [info] DC offset: -0.300000\n', 0.3],
  ['[Parsed_astats_0 @ 0x1] [info] DC offset: nan\n', 0],
  ['', 0],
])('reads the DC offset of a log: %j', (log, offset) => expect(readDcOffset(log)).toBe(offset));

it('a DC offset counts as the gain raises it, and only if the limiter acts', () => {
  expect(isOffsetLimited(0.002, { gainDb: 20, maxPeakDbtp: -1.5 })).toBe(true);
  expect(isOffsetLimited(0.002, { gainDb: 0, maxPeakDbtp: -1.5 })).toBe(false);
  expect(isOffsetLimited(0.5, { gainDb: 0 })).toBe(false);
});
