import { JobError, type JobErrorCode } from '@media-jobs/video/errors';
import { HttpFailure } from '../http/http-failure.ts';
import { AssumeRoleError } from '../sts/assume-role.ts';
import { UnexpectedResponseError } from './limit-responses.ts';

/** What a provider answered: its error code and status, for the owner. Never its message, which may repeat a request. */
export type ProviderFailure = { reason: string; status: number | undefined; code: string };

/**
 * The cause of an error for the log: what `describeProviderFailure` returns. The error itself is left out, since a hostile
 * provider may repeat the signature or any other text in its message.
 */
export function loggableCause(error: unknown): unknown {
  const failure = describeProviderFailure(error);
  return failure === undefined ? error : new Error(failure.reason);
}

/** Describes an error of a call to a provider. Undefined for an error that is not the provider's. */
export function describeProviderFailure(error: unknown): ProviderFailure | undefined {
  if (error instanceof HttpFailure) return { reason: error.message, status: undefined, code: error.errorClass };
  if (error instanceof UnexpectedResponseError) {
    return { reason: 'the provider sent a response that is not one of S3', status: undefined, code: error.name };
  }
  if (error instanceof AssumeRoleError) return describeRoleFailure(error);
  if (!(error instanceof Error)) return undefined;
  const { httpStatusCode: status } = ('$metadata' in error ? error.$metadata : {}) as { httpStatusCode?: number };
  const code = safeCode(error);
  if (status !== undefined) return { reason: `the provider answered ${code} (${status})`, status, code };
  // Not an error of S3 itself: a broken connection, a timeout, or a response that cannot be read.
  return { reason: `the connection to the provider failed (${code})`, status: undefined, code };
}

/** Whether the same call may succeed later: not after a rejection, which is a 4xx. */
export function mayPass(error: unknown): boolean {
  const status = describeProviderFailure(error)?.status;
  return status === undefined || status >= 500 || status === 429;
}

function describeRoleFailure({ status, code, disabledRegion }: AssumeRoleError): ProviderFailure {
  const answer = `AWS answered ${code}${status === undefined ? '' : ` (${status})`}`;
  const trust = status === 403 ? ': its trust policy must allow this service with the external id of the provider' : '';
  const hint = disabledRegion === undefined ? trust : `: its account must enable the region ${disabledRegion}`;
  return { reason: `the role could not be assumed, ${answer}${hint}`, status, code };
}

/** An error code of S3. Everything else, which may be any text of a hostile provider, is left out. */
function safeCode(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(code) ? code : 'an unknown error';
}

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
  return new JobError(code, `${failed}: ${reason}.${hint}`, { retryable: mayPass(cause), cause: loggableCause(cause) });
}
