import { JobError } from '../errors.ts';
import type { JobFailure } from './record.ts';
import type { JobStage } from './states.ts';

const stagesBeforeEncoding: readonly JobStage[] = ['queued', 'validating', 'downloading', 'probing'];

/**
 * The end of a job after an error: `rejected` for an input error, or an estimate above the job's limit, before any
 * encoding, otherwise `failed`. An error that is no `JobError` becomes `INTERNAL_ERROR`, without details.
 */
export function failureOutcome(
  error: unknown,
  stage: JobStage,
): { state: 'failed' | 'rejected'; error: JobFailure } {
  if (!(error instanceof JobError)) {
    const message =
      'The service failed while working on this job; its operator can find the cause in the log.';
    return { state: 'failed', error: jobFailure(new JobError('INTERNAL_ERROR', message), stage) };
  }
  const isRejection = error.code.startsWith('INPUT_') || error.code === 'COST_LIMIT';
  const isRejected = isRejection && stagesBeforeEncoding.includes(stage);
  return { state: isRejected ? 'rejected' : 'failed', error: jobFailure(error, stage) };
}

/** The `error` object of a job that failed at this stage. */
export function jobFailure({ code, message, retryable }: JobError, stage: JobStage): JobFailure {
  return { code, message, stage, retryable };
}
