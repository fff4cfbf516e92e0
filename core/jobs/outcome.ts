import { JobError } from '@media-jobs/video/errors';
import { awsFailureOf } from '../net/aws-failure.ts';
import { maxAttempts } from './durations.ts';
import { jobFailure } from './job-result.ts';
import type { JobFailure, JobStage } from './states.ts';

const stagesBeforeEncoding: readonly JobStage[] = ['queued', 'validating', 'downloading', 'probing'];

/**
 * The end of a job after an error: `rejected` for an input error, or an estimate above the job's limit, before any
 * encoding, otherwise `failed`. An error that is no `JobError` becomes one of the service, without details.
 */
export function failureOutcome(error: unknown, stage: JobStage): { state: 'failed' | 'rejected'; error: JobFailure } {
  if (!(error instanceof JobError)) return { state: 'failed', error: jobFailure(serviceError(error, stage), stage) };
  const isRejection = error.code.startsWith('INPUT_') || error.code === 'COST_LIMIT';
  const isRejected = isRejection && stagesBeforeEncoding.includes(stage);
  return { state: isRejected ? 'rejected' : 'failed', error: jobFailure(error, stage) };
}

/** What the owner of a job reads after an error of the service. An outage has lasted in the last of its attempts. */
function serviceError(error: unknown, stage: JobStage): JobError {
  const operator = 'its operator can find the cause in the log';
  const failure = awsFailureOf(error);
  if (failure === undefined)
    return new JobError('INTERNAL_ERROR', `The service failed while working on this job; ${operator}.`);
  const isUpload = stage === 'uploading';
  const what = isUpload ? 'An output file could not be stored' : `The service failed while ${stage}`;
  if (failure.kind === 'rejection') {
    const message = `${what}: AWS rejected the request (${failure.code}). A retry fails too until the service is corrected; ${operator}.`;
    return new JobError(isUpload ? 'UPLOAD_ERROR' : 'INTERNAL_ERROR', message, { retryable: false });
  }
  const message = `${what}: AWS was not available (${failure.code}) in the last of ${maxAttempts} attempts. Retry the job later.`;
  return new JobError(isUpload ? 'UPLOAD_ERROR' : 'WORKER_LOST', message);
}

/** Whether the next attempt of a job may succeed after this error, since a service of AWS was not available. */
export function isOutage(error: unknown): boolean {
  return awsFailureOf(error)?.kind === 'outage';
}
