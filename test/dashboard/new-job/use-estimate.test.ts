import { expect, it } from 'vitest';
import { ApiError } from '../../../client/api-error.ts';
import { estimateProblem } from '../../../dashboard/new-job/use-estimate.ts';

const rejected = (path: string) =>
  new ApiError({
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'The request is not valid.',
    retryable: false,
    details: [{ path, message: 'The input has no subtitles.' }],
  });

it.each([
  [
    'a source that does not suit the recipe',
    rejected('media'),
    'No estimate for such a source. The input has no subtitles.',
  ],
  ['a request that is not valid', rejected('recipe'), 'No estimate: the request is not valid yet.'],
  ['a service that cannot be reached', new Error('fetch failed'), 'The estimate is not available.'],
])('%s has no estimate', (_, error, problem) => {
  expect(estimateProblem(error)).toBe(problem);
});
