import { ApiError } from '@media-jobs/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EstimateRequest } from '../../src/new-job/estimate-request.ts';
import { estimateAfterPause, estimateProblem } from '../../src/new-job/use-estimate.ts';

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
    'Such a job would be rejected. The input has no subtitles.',
  ],
  [
    'a request that is not valid',
    rejected('recipe.crf'),
    'The request is not valid yet. CRF: The input has no subtitles.',
  ],
  ['a service that cannot be reached', new Error('fetch failed'), 'The estimate is not available.'],
])('%s has no estimate', (_, error, problem) => {
  expect(estimateProblem(error)).toBe(problem);
});

describe('an estimate while one types', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const media = { width: 1280, height: 720, durationSeconds: 60 };
  const body: EstimateRequest = {
    mode: 'recipe',
    input: { url: 'https://example.com/file' },
    output: { format: 'mp4' },
    recipe: { name: 'mute' },
    media,
  };

  it('is requested after a pause, under the signal that aborts it', async () => {
    const estimateJob = vi.fn();
    const { signal } = new AbortController();
    const estimated = estimateAfterPause({ client: { estimateJob }, body, signal });
    await vi.advanceTimersByTimeAsync(499);
    expect(estimateJob).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await estimated;
    expect(estimateJob.mock.calls).toEqual([[{ body, signal }]]);
  });

  it('is not requested if the draft changes within the pause', async () => {
    const estimateJob = vi.fn();
    const abort = new AbortController();
    const estimated = estimateAfterPause({ client: { estimateJob }, body, signal: abort.signal });
    const rejected = expect(estimated).rejects.toThrow('changed');
    await vi.advanceTimersByTimeAsync(400);
    abort.abort(new Error('changed'));
    await rejected;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(estimateJob).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
