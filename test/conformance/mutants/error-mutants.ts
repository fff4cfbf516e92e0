import type { Mutant } from './mutant.ts';
import { changed, set, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

/** Sets a field of every error with this status. */
function failing(status: number, path: string, value: unknown): () => Mutation {
  return () => async (request, forward) => {
    const response = await forward(request);
    return response.status === status ? changed(response, (body) => set(body, path, value)) : response;
  };
}

export const errorMutants: Mutant[] = [
  {
    breaks: 'errors.code',
    how: 'omits the code of a 404',
    found: /error\.code is missing/,
    api: failing(404, 'error.code', undefined),
  },
  {
    breaks: 'errors.message',
    how: 'omits the message of a 400',
    found: /error\.message is ""/,
    api: failing(400, 'error.message', ''),
  },
  {
    breaks: 'errors.retryable',
    how: 'omits retryable',
    found: /error\.retryable is "no"/,
    api: failing(400, 'error.retryable', 'no'),
  },
  {
    breaks: 'errors.job-failure',
    how: 'returns another code for a failed transcoding',
    found: /error\.code of that job is "FAILED"/,
    api: () => setting('GET /api/v1/jobs/:id', 'error.code', 'FAILED'),
  },
];
