import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWithin, overlappingCues } from '../../../src/media/subtitles/webvtt.ts';

const cue = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

it('cues that overlap are one stretch, with those that overlap any of them', () => {
  const stretches = overlappingCues([cue(8, 9), cue(1, 3), cue(2, 5), cue(4, 6)]);
  expect(stretches).toEqual([{ ...cue(1, 6), cues: 3 }]);
});

it('a cue that starts at the end of another does not overlap it', () => {
  expect(overlappingCues([cue(1, 2), cue(2, 3)])).toEqual([]);
});

it('a time is within a stretch if two cues of it are shown around that time', () => {
  const anInterval = fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 }))
    .map(([start, length]) => cue(start, start + length));
  fc.assert(
    fc.property(fc.array(anInterval, { maxLength: 12 }), fc.integer({ min: 0, max: 70 }), (cues, time) => {
      const stretches = overlappingCues(cues);
      const inside = stretches.some(({ startSeconds, endSeconds }) => startSeconds < time && time < endSeconds);
      expect(isWithin(stretches, time)).toBe(inside);
      const shown = cues.filter(({ startSeconds, endSeconds }) => startSeconds < time && time < endSeconds);
      if (shown.length > 1) expect(inside).toBe(true);
    }),
  );
});
