import { expect, it } from 'vitest';
import { contentPeakNits } from '../../../src/media/filters/tone-map.ts';

it.each([
  ['nothing', {}, 1000],
  ['the brightest pixel', { maxContentNits: 1500 }, 1500],
  ['the mastering display', { masteringPeakNits: 4000 }, 4000],
  ['both', { maxContentNits: 1800, masteringPeakNits: 4000 }, 1800],
  ['a pixel brighter than the display', { maxContentNits: 3000, masteringPeakNits: 1000 }, 1000],
  ['a dim video', { maxContentNits: 180, masteringPeakNits: 1000 }, 600],
  ['a placeholder of 1 nit', { maxContentNits: 1, masteringPeakNits: 1200 }, 1200],
  ['the limit of PQ', { maxContentNits: 10_000, masteringPeakNits: 10_000 }, 4000],
  ['more than PQ can express', { maxContentNits: 65_535, masteringPeakNits: 0.1 }, 1000],
])('the peak of a file that declares %s is %j: %i nits', (_what, metadata, nits) => {
  expect(contentPeakNits(metadata)).toBe(nits);
});
