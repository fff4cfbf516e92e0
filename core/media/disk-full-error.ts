import { JobError } from '../errors.ts';

/** A retry does not help: every worker has the maximum that Lambda offers. */
export const diskFullMessage =
  "The job does not fit on the worker's disk: the inputs and everything made from them need more than the 10 GB of ephemeral storage that a Lambda function can have. Use smaller inputs, or request smaller or fewer outputs.";

/** Converts `ENOSPC` to a JobError; returns any other error unchanged. */
export function toDiskFullError(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFull ? new JobError('INPUT_TOO_LARGE', diskFullMessage, { cause: error }) : error;
}
