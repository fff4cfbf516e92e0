import { jobErrorCodes } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import { errorAdvice } from '../../src/job-page/error-advice.ts';

it.each(jobErrorCodes)('a retry is suggested for %s if it may succeed, and not as the first step otherwise', (code) => {
  expect(errorAdvice({ code, retryable: true })).toMatch(/retry/i);
  expect(errorAdvice({ code, retryable: false })).not.toMatch(/^Retry/);
});

it.each([
  ['TIMEOUT', 'Retry later: the job waited for too long.'],
  ['UPLOAD_ERROR', 'Retry: the file was encoded, but could not be stored.'],
] as const)('the advice for %s is another one if a retry may succeed', (code, advice) => {
  expect(errorAdvice({ code, retryable: true })).toBe(advice);
  expect(errorAdvice({ code, retryable: false })).not.toBe(advice);
});
