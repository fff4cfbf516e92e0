import { describe, expect, it } from 'vitest';
import { addFrames, convertTimecode } from '../../src/media/timecode.ts';

const ntsc = 30_000 / 1001;

describe('a time code some frames later', () => {
  it.each([
    ['01:00:00:00', 75, 25, '01:00:03:00'],
    ['01:00:59:24', 1, 25, '01:01:00:00'],
    ['23:59:59:24', 1, 25, '00:00:00:00'],
    ['01:00:00:00', 1800, ntsc, '01:01:00:00'],
    ['01:00:59;29', 1, ntsc, '01:01:00;02'],
    ['01:09:59;29', 1, ntsc, '01:10:00;00'],
    ['00:00:00;00', 17_982, ntsc, '00:10:00;00'],
    ['00:00:00;00', 107_892, ntsc, '01:00:00;00'],
    ['00:00:59;59', 1, 2 * ntsc, '00:01:00;04'],
    ['23:59:59;29', 1, ntsc, '00:00:00;00'],
  ])('%s and %i frames at %d is %s', (timecode, frames, fps, expected) => {
    expect(addFrames(timecode, { frames, fps })).toBe(expected);
  });

  it('has all numbers of drop frame but the dropped ones', () => {
    const labels = Array.from({ length: 20_000 }, (_, frames) => addFrames('00:00:00;00', { frames, fps: ntsc }));
    expect(new Set(labels).size).toBe(20_000);
    expect(labels.filter((label) => /:\d[1-9]:00;0[01]$/.test(label))).toEqual([]);
  });
});

it.each([
  ['01:00:00;00', ntsc, 25, '01:00:00:00'],
  ['01:00:00:20', 30, 25, '01:00:00:17'],
  ['01:00:00:29', 30, 24, '01:00:00:23'],
  ['01:00:00:20', 25, 50, '01:00:00:40'],
  ['01:01:00;04', 2 * ntsc, ntsc, '01:01:00;02'],
  ['01:00:00;10', ntsc, 30, '01:00:00:10'],
  ['01:00:00:10', 25, 25, '01:00:00:10'],
])('a time code at another frame rate %s of %d is, at %d, %s', (timecode, from, to, expected) => {
  expect(convertTimecode(timecode, { from, to })).toBe(expected);
});
