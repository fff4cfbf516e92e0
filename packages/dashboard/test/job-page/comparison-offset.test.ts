import { expect, it } from 'vitest';
import { comparisonOffsetSeconds } from '../../src/job-page/comparison-offset.ts';
import { aJobResource, comparisonOf } from '../builders/a-job-resource.ts';

it.each([
  ['a compressed video is compared from the start', aJobResource({}), 0],
  ['a clip is compared from its start', aJobResource({ recipe: { name: 'clip', start: 12.5 } }), 12.5],
  ['an image is compared with its input', aJobResource({ recipe: { name: 'image' }, fileType: 'image' }), 0],
  [
    'a thumbnail is not compared with its video',
    aJobResource({ recipe: { name: 'thumbnail' }, fileType: 'image' }),
    undefined,
  ],
  ['a video of another speed is not compared', aJobResource({ recipe: { name: 'speed' } }), undefined],
  [
    'extracted audio is not compared',
    aJobResource({ recipe: { name: 'extract-audio' }, fileType: 'audio' }),
    undefined,
  ],
  [
    'normalized audio without a video is not compared',
    aJobResource({ recipe: { name: 'normalize-audio' }, fileType: 'audio' }),
    undefined,
  ],
  [
    'the result of a pipeline is not compared',
    aJobResource({ request: { mode: 'pipeline', recipe: undefined } }),
    undefined,
  ],
])('%s', (_, job, offsetSeconds) => {
  expect(comparisonOffsetSeconds(job, comparisonOf(job))).toBe(offsetSeconds);
});
