import { expect, it } from 'vitest';
import { addChunking } from '../../../core/jobs/job-result.ts';

const single = { chunks: 1, reason: 'short' };
const cut = { chunks: 4, reason: 'long' };

it.each([
  ['the first step', undefined, cut, { chunks: 4, reason: 'long' }],
  ['a single pass behind chunks', cut, single, { chunks: 4, reason: 'long. short' }],
  ['chunks behind a single pass', single, cut, { chunks: 4, reason: 'short. long' }],
  ['chunks behind chunks', cut, cut, { chunks: 8, reason: 'long. long' }],
  ['a single pass behind another', single, single, { chunks: 1, reason: 'short. short' }],
])('the chunks of %s count those of completed steps', (_, earlier, step, expected) => {
  expect(addChunking(earlier, step)).toEqual(expected);
});
