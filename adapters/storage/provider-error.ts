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
    return {
      reason: 'the provider sent a response that is not one of S3',
      status: undefined,
      code: error.name,
    };
  }
  if (error instanceof AssumeRoleError) return describeRoleFailure(error);
  if (!(error instanceof Error)) return undefined;
  const { httpStatusCode: status } = ('$metadata' in error ? error.$metadata : {}) as {
    httpStatusCode?: number;
  };
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
