import { JobError, type JobErrorCode } from '../../core/errors.ts';
import { describeProviderFailure, loggableCause } from './provider-error.ts';

/** Converts an error of reading from a provider to one that the job's owner reads. After an abort throws its reason. */
export function asInputError<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withJobError(act, { code: 'INPUT_UNREACHABLE', failed: 'The input could not be read', signal });
}

/** Converts an error of storing at a provider to one that the job's owner reads. After an abort throws its reason. */
export function asUploadError<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withJobError(act, { code: 'UPLOAD_ERROR', failed: 'The files could not be stored', signal });
}

async function withJobError<T>(
  act: () => Promise<T>,
  { code, failed, signal }: { code: JobErrorCode; failed: string; signal: AbortSignal | undefined },
): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof JobError) throw cause;
    const { reason, status } = describeProviderFailure(cause) ?? {
      reason: 'an unknown error',
      status: undefined,
    };
    const isPermanent = status !== undefined && status < 500 && status !== 429;
    throw new JobError(code, `${failed}: ${reason}.`, {
      retryable: !isPermanent,
      cause: loggableCause(cause),
    });
  }
}
