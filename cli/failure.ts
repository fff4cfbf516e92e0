import { CommanderError } from 'commander';
import { ApiError } from '../client/api-error.ts';
import type { ErrorDetail } from '../core/errors.ts';
import { CliError } from './cli-error.ts';
import type { ExitName } from './exit-codes.ts';

/** An error as its reader is told of it. `code` is the API's where the API gave it. */
export type Failure = {
  exit: ExitName;
  code: string;
  message: string;
  retryable: boolean;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: ErrorDetail[] | undefined;
  hint?: string | undefined;
};

/** What an error comes to, whoever threw it. */
export function toFailure(error: unknown): Failure {
  if (error instanceof CliError) {
    const { exit, message, details, hint } = error;
    return { exit, code: exit.toUpperCase(), message, retryable: false, details, hint };
  }
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    return { exit: 'usage', code: 'USAGE', message, retryable: false };
  }
  if (error instanceof ApiError)
    return error.cause instanceof CliError ? toFailure(error.cause) : ofApi(error);
  if (isSystemError(error))
    return { exit: 'file', code: error.code, message: error.message, retryable: false };
  const message = `This program failed: ${error instanceof Error ? error.message : String(error)}`;
  return { exit: 'fault', code: 'FAULT', message, retryable: false };
}

function ofApi(error: ApiError): Failure {
  const { status, code, retryable, requestId, details } = error;
  // fetch says no more than "fetch failed"; what failed is the innermost of its causes.
  const told = error.message.replace(`: ${String(error.cause)}`, '').replace(/\.$/, '');
  const message = status === 0 ? `${told}: ${rootCause(error)}` : error.message;
  return { exit: exitOf(error), code, message, retryable, status, requestId, details, hint: hintOf(error) };
}

function exitOf({ status, retryable }: ApiError): ExitName {
  if (status === 401 || status === 403) return 'denied';
  if (status === 404 || status === 409) return 'conflict';
  return retryable ? 'unavailable' : 'usage';
}

function hintOf({ status, code }: ApiError): string | undefined {
  if (status === 401)
    return 'Is MEDIA_JOBS_KEY whole, not revoked, and a key of the service at MEDIA_JOBS_URL?';
  if (status === 404 && code !== 'NOT_FOUND') return 'Is MEDIA_JOBS_URL the address of the service itself?';
  return undefined;
}

function rootCause(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause !== undefined) return rootCause(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

/** An error of the operating system about a file: it has a path. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error;
}
