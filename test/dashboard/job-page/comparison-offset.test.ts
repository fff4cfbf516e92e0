import { expect, it } from 'vitest';
import { comparisonOffsetSeconds } from '../../../dashboard/job-page/comparison-offset.ts';
import { aCompletedJob, comparisonOf } from '../../builders/dashboard/a-completed-job.ts';

it.each([
  ['a compressed video is compared from the start', aCompletedJob({}), 0],
  ['a clip is compared from its start', aCompletedJob({ recipe: { name: 'clip', start: 12.5 } }), 12.5],
  ['an image is compared with its input', aCompletedJob({ recipe: { name: 'image' }, fileType: 'image' }), 0],
  [
    'a thumbnail is not compared with its video',
    aCompletedJob({ recipe: { name: 'thumbnail' }, fileType: 'image' }),
    undefined,
  ],
  ['a video of another speed is not compared', aCompletedJob({ recipe: { name: 'speed' } }), undefined],
  [
    'extracted audio is not compared',
    aCompletedJob({ recipe: { name: 'extract-audio' }, fileType: 'audio' }),
    undefined,
  ],
  [
    'normalized audio without a video is not compared',
    aCompletedJob({ recipe: { name: 'normalize-audio' }, fileType: 'audio' }),
    undefined,
  ],
  [
    'the result of a pipeline is not compared',
    aCompletedJob({ request: { mode: 'pipeline', recipe: undefined } }),
    undefined,
  ],
])('%s', (_, job, offsetSeconds) => {
  expect(comparisonOffsetSeconds(job, comparisonOf(job))).toBe(offsetSeconds);
});
