import { JobError } from '@media-jobs/video/errors';
import type { JobWarning } from '@media-jobs/video/media';
import type { Step, StepEnd, StepEnds } from '@media-jobs/video/recipes';
import { awsFailureOf } from '../net/aws-failure.ts';
import { maxAttempts } from './durations.ts';
import type { JobFailure, JobStage, OutputEnds } from './states.ts';

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

/** The `error` object of a job that failed at this stage. */
export function jobFailure({ code, message, retryable, output }: JobError, stage: JobStage): JobFailure {
  return { code, message, stage, retryable, ...(output === undefined ? {} : { output }) };
}

/** How outputs have ended that are not made, as the record of their job has it. */
export function nameEnds(steps: readonly Pick<Step, 'name'>[], ended: StepEnds): OutputEnds {
  const named = [...ended].map(([index, end]): [string, OutputEnds[string]] => [
    steps[index]?.name ?? '',
    end.is === 'skipped' ? { state: 'skipped' } : { state: 'failed', error: jobFailure(end.error, 'transcoding') },
  ]);
  return Object.fromEntries(named);
}

export function numberEnds(steps: readonly Pick<Step, 'name'>[], ended: OutputEnds | undefined): StepEnds {
  const numbered = Object.entries(ended ?? {}).map(([name, { error }]): [number, StepEnd] => [
    steps.findIndex((step) => step.name === name),
    error === undefined
      ? { is: 'skipped' }
      : { is: 'failed', error: new JobError(error.code, error.message, { ...error, cause: undefined }) },
  ]);
  return new Map(numbered);
}

export function failureWarnings(ended: OutputEnds | undefined): JobWarning[] {
  return Object.entries(ended ?? {}).flatMap(([output, { error }]) =>
    error === undefined
      ? []
      : [{ code: 'OUTPUT_FAILED', message: `Failed with ${error.code}: ${error.message}`, output }],
  );
}
