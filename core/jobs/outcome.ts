import { JobError } from '../errors.ts';
import type { JobFailure } from './record.ts';
import type { JobStage } from './states.ts';

const beforeEncoding: readonly JobStage[] = ['queued', 'validating', 'downloading', 'probing'];

/**
 * How a job ends whose work threw: `rejected` where the input was refused before any encoding, else `failed`. An
 * error that is not ours tells its owner nothing but that it was internal.
 */
export function failureOutcome(
  error: unknown,
  stage: JobStage,
): { state: 'failed' | 'rejected'; error: JobFailure } {
  if (!(error instanceof JobError)) {
    const message =
      'The service failed while working on this job; its operator can find the cause in the log.';
    return { state: 'failed', error: { code: 'INTERNAL_ERROR', message, stage, retryable: true } };
  }
  const { code, message, retryable } = error;
  const refused = code.startsWith('INPUT_') && beforeEncoding.includes(stage);
  return { state: refused ? 'rejected' : 'failed', error: { code, message, stage, retryable } };
}
