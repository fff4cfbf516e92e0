import { S3ServiceException } from '@aws-sdk/client-s3';
import { JobError } from '../../core/errors.ts';

/**
 * What a failure to read an object means for the job, where it has a meaning; else the failure, which is ours.
 *
 * @param missing what is said of an object that is not there
 */
export function toReadError(cause: unknown, missing: string): unknown {
  if (!(cause instanceof S3ServiceException)) return cause;
  if (isMissing(cause)) {
    return new JobError('INPUT_UNREACHABLE', missing, { retryable: false, cause });
  }
  return cause.$metadata.httpStatusCode === 412 ? inputReplacedError(cause) : cause;
}

/** Whether there is no such object. To whoever may not list the bucket, what is missing is called forbidden. */
export function isMissing(cause: unknown): boolean {
  // An answer to HEAD has a status and no code.
  return cause instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(cause.name);
}

/** The error of a job whose input became another on the way. */
export function inputReplacedError(cause?: unknown): JobError {
  const message = 'The input was replaced by another while it was read; try again';
  return new JobError('INPUT_UNREACHABLE', message, { cause });
}

/** Whether a connection failed and nothing else did, so that it is worth another. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The SDK's client destroys what stands still with an error of this name.
  if (error.name === 'TimeoutError') return true;
  return 'code' in error && ['ECONNRESET', 'ETIMEDOUT', 'EPIPE'].includes(String(error.code));
}
