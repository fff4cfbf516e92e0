import { ApiError } from '@media-jobs/client';
import { describe, expect, it } from 'vitest';
import { UploadCancelled } from '../../src/new-job/upload-file.ts';
import { requestProblems } from '../../src/new-job/use-draft.ts';

describe('an error of the API', () => {
  const validationError = (details: { path: string; message: string }[]) =>
    new ApiError({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'The request is not valid.',
      retryable: false,
      details,
    });

  it('is shown at the field it belongs to', () => {
    const error = validationError([{ path: 'recipe.width', message: 'Give a width' }]);
    expect(requestProblems(error)).toEqual({ fields: { 'recipe.width': 'Give a width' } });
  });

  it.each(['input.key', 'output.storageProviderId', 'output.key', 'maxCostUsd'])('is shown at %s', (path) => {
    const error = validationError([{ path, message: 'no' }]);
    expect(requestProblems(error)).toEqual({ fields: { [path]: 'no' } });
  });

  it('is shown for the whole request if the form has no such field', () => {
    const error = validationError([{ path: 'tags', message: 'too many' }]);
    expect(requestProblems(error)).toEqual({ fields: {}, general: 'The request is not valid.' });
  });
});

it('a cancelled upload is no problem of the request', () => {
  expect(requestProblems(new UploadCancelled())).toEqual({ fields: {}, isCancelled: true });
});
