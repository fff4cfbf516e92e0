import { JobError } from '../errors.ts';

/** A retry does not help: every function has the maximum that Lambda offers. */
export const diskFullMessage =
  "The job does not fit on the worker's disk: the inputs and everything made from them need more than it has, which is 10 GB for a Lambda function. Use smaller inputs, or request smaller or fewer outputs; the service's operator can set fargate, or raise fargate.storageGb.";

/** Converts `ENOSPC` to a JobError; returns any other error unchanged. */
export function toDiskFullError(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFull ? new JobError('INPUT_TOO_LARGE', diskFullMessage, { cause: error }) : error;
}

/** Whether a job failed because the disk of its worker was full. Messages may have the file or the step in front. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof JobError && (error.message === diskFullMessage || isDiskFull(error.cause));
}
