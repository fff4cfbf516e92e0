import { expect, it } from 'vitest';
import { type JobWarning, joinWarnings, maxWarnings } from '../../src/media/outputs/work-result.ts';

const dropped = (track: number): JobWarning => ({ code: 'TRACK_DROPPED', message: `Track ${track}` });
const damaged: JobWarning = { code: 'INPUT_DAMAGED', message: 'Frames are missing' };

it('a job has each warning once', () => {
  expect(joinWarnings([dropped(1)], undefined, [dropped(2), dropped(1)])).toEqual([dropped(1), dropped(2)]);
  expect(joinWarnings([damaged], [{ ...damaged, output: 'small' }])).toHaveLength(2);
});

it('a job with too many warnings keeps that of its damage', () => {
  const tracks = Array.from({ length: maxWarnings + 10 }, (_, track) => dropped(track));
  const warnings = joinWarnings(tracks, [damaged]);
  expect(warnings).toHaveLength(maxWarnings);
  expect(warnings[0]).toEqual(damaged);
});
