import { JobError, type JobErrorCode } from '../../errors.ts';
import type { RunRecord } from './ports.ts';

/** A run that failed, with what is kept of it for the job's log. */
export class EncodeError extends JobError {
  readonly runRecord: RunRecord;

  constructor(
    failure: { code: JobErrorCode; message: string; retryable: boolean },
    runRecord: RunRecord,
    options: { cause?: unknown } = {},
  ) {
    super(failure.code, failure.message, { retryable: failure.retryable, ...options });
    this.name = 'EncodeError';
    this.runRecord = runRecord;
  }
}

/** Said of a job that the worker's disk cannot hold. No retry helps: every worker has the most that Lambda gives. */
export const diskFullMessage =
  "The job does not fit on the worker's disk, the 10 GB of ephemeral storage that a Lambda function can have at most: it holds the inputs and all that is made of them at once. Use smaller inputs, or ask for smaller or fewer outputs.";

/** The error of a job whose file found the disk full; any other error stays what it is. */
export function toDiskFullError(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFull ? new JobError('INPUT_TOO_LARGE', diskFullMessage, { cause: error }) : error;
}
