import { JobError, type JobErrorCode } from '@media-jobs/video/errors';
import { describeProviderFailure, loggableCause, mayPass } from './provider-error.ts';

/** Runs a read at a provider. Throws its error as one that the job's owner reads; after an abort, the abort's reason. */
export function withInputErrors<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withJobError(act, toProviderInputError, signal);
}

/** The error that the job's owner reads if an input could not be read. */
export function toProviderInputError(cause: unknown): JobError {
  return toJobError(cause, { code: 'INPUT_UNREACHABLE', failed: 'The input could not be read' });
}

/** Runs a write at a provider. Throws its error as one that the job's owner reads; after an abort, the abort's reason. */
export function withUploadErrors<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const failure = { code: 'UPLOAD_ERROR', failed: 'The files could not be stored' } as const;
  return withJobError(act, (cause) => toJobError(cause, failure), signal);
}

async function withJobError<T>(
  act: () => Promise<T>,
  convert: (cause: unknown) => JobError,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    signal?.throwIfAborted();
    throw convert(cause);
  }
}

function toJobError(cause: unknown, { code, failed }: { code: JobErrorCode; failed: string }): JobError {
  if (cause instanceof JobError) return cause;
  const { reason } = describeProviderFailure(cause) ?? { reason: 'an unknown error' };
  // Without the permission to list an object S3 does not tell whether it is there.
  const mayBeMissing = code === 'INPUT_UNREACHABLE' && cause instanceof Error && cause.name === 'AccessDenied';
  const hint = mayBeMissing ? ' Check the key too: a missing object that may not be listed is denied as well.' : '';
  return new JobError(code, `${failed}: ${reason}.${hint}`, {
    retryable: mayPass(cause),
    cause: loggableCause(cause),
  });
}
