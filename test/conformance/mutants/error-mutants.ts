import type { Mutant } from './mutant.ts';
import { changed, set, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

/** Sets a field of every error with this status. */
function failing(status: number, path: string, value: unknown): () => Mutation {
  return () => async (request, forward) => {
    const answer = await forward(request);
    return answer.status === status ? changed(answer, (body) => set(body, path, value)) : answer;
  };
}

export const errorMutants: Mutant[] = [
  {
    breaks: 'errors.code',
    how: 'has no code for what is not there',
    found: /error\.code is missing/,
    api: failing(404, 'error.code', undefined),
  },
  {
    breaks: 'errors.message',
    how: 'says nothing of what is not valid',
    found: /error\.message is ""/,
    api: failing(400, 'error.message', ''),
  },
  {
    breaks: 'errors.retryable',
    how: 'does not say whether to retry',
    found: /error\.retryable is "no"/,
    api: failing(400, 'error.retryable', 'no'),
  },
  {
    breaks: 'errors.job-failure',
    how: 'has another code for a failed transcoding',
    found: /error\.code of that job is "FAILED"/,
    api: () => setting('GET /api/v1/jobs/:id', 'error.code', 'FAILED'),
  },
];
