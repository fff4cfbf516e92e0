import { ApiError, isStorageRejection } from '@media-jobs/client';
import type { ErrorDetail } from '@media-jobs/core/api';
import { CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import type { FailureHint, ProcessContext } from './context/command-context.ts';
import { type ExitName, exitCodes } from './exit-codes.ts';
import { formatDuration } from './formatting/quantities.ts';
import { secretVariable } from './providers/read-secret.ts';
import { formatJson, redactSecrets, sanitizeText } from './show/sanitize.ts';

/** An error as it is shown to the user. `code` is the API's for an error of the API. */
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

const inputsHint = 'Give the inputs first: --download takes a word that follows it as its path.';
const optionHint = '--help after the command shows its options, "recipes NAME" those of a recipe.';

export function toFailure(error: unknown): Failure {
  if (error instanceof CliError) {
    const { exit, message, details, hint } = error;
    return { exit, code: exit.toUpperCase(), message, retryable: false, details, hint };
  }
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    const hint = message.endsWith("argument 'inputs'") ? inputsHint : undefined;
    const isUnknown = error.code === 'commander.unknownOption';
    return { exit: 'usage', code: 'USAGE', message, retryable: false, hint: isUnknown ? optionHint : hint };
  }
  if (error instanceof ApiError) return fromApiError(error);
  if (isFileError(error)) {
    return { exit: 'file', code: error.code, message: error.message, retryable: false };
  }
  const message = `This program failed: ${error instanceof Error ? error.message : String(error)}`;
  return { exit: 'fault', code: 'FAULT', message, retryable: false };
}

function fromApiError(error: ApiError): Failure {
  const { status, code, retryable, requestId, details } = error;
  // The message of fetch is only "fetch failed". The reason is the innermost cause.
  const summary = error.message.replace(/\.$/, '');
  const message = status === 0 ? `${summary}: ${rootCause(error)}` : error.message;
  return { exit: exitFor(error), code, message, retryable, status, requestId, details, hint: hintFor(error) };
}

function exitFor(error: ApiError): ExitName {
  const { status, retryable } = error;
  if (isStorageRejection(error)) return retryable ? 'unavailable' : 'conflict';
  if (status === 401 || status === 403) return 'denied';
  // A limit that waiting does not lift, such as the number of redeliveries of a job.
  if (status === 404 || status === 409 || (status === 429 && !retryable)) return 'conflict';
  return retryable ? 'unavailable' : 'usage';
}

function hintFor(error: ApiError): string | undefined {
  const { status, code, retryable, retryAfterSeconds = 0 } = error;
  if (isStorageRejection(error)) return undefined;
  if (status === 401) {
    return 'Check that MEDIA_JOBS_KEY is complete, not revoked, and a key of the service at MEDIA_JOBS_URL.';
  }
  if (code === 'FORBIDDEN') {
    return 'Use a key with the scope, or a session token of your identity provider, as MEDIA_JOBS_KEY. Create keys in the dashboard under "API keys" (/app of the service), or ask the operator of the stage for one.';
  }
  if (status === 404 && code !== 'NOT_FOUND') {
    return 'Check that MEDIA_JOBS_URL is the address of the service itself.';
  }
  if (retryable && retryAfterSeconds > 0) return `Try again in ${formatDuration(retryAfterSeconds)}.`;
  return undefined;
}

function rootCause(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause !== undefined) return rootCause(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

/** A system error of a file. Those of the network are causes of a TypeError of `fetch`. Reads and writes have no path. */
function isFileError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

type ReportOptions = Pick<ProcessContext, 'err' | 'environment'> & {
  isJson: boolean;
  failureHint: FailureHint | undefined;
};

/** Writes a failure to standard error, without credentials and URL signatures. */
export function reportFailure(failure: Failure, { err, environment, isJson, failureHint }: ReportOptions): void {
  const secrets = [environment.MEDIA_JOBS_KEY ?? '', environment[secretVariable] ?? ''];
  const redact = (text: string) => redactSecrets(text, secrets);
  const text = isJson ? formatAsJson(failure, failureHint, redact) : redact(formatAsText(failure, failureHint));
  err.write(`${text}\n`);
}

/** Redacts each string on its own: in the JSON a redacted URL would take the quote that ends its string. */
function formatAsJson(
  { exit, ...failure }: Failure,
  failureHint: FailureHint | undefined,
  redact: (text: string) => string,
): string {
  const hint = [failure.hint, failureHint?.hint].filter(Boolean).join(' ');
  const error = {
    ...failure,
    hint: hint || undefined,
    jobId: failureHint?.jobId,
    exitCode: exitCodes[exit].code,
  };
  return formatJson({ error }, (_, value) => (typeof value === 'string' ? redact(value) : value));
}

function formatAsText(
  { message, details = [], hint, requestId }: Failure,
  failureHint: FailureHint | undefined,
): string {
  const newDetails = details.filter(({ message: detail }) => !message.includes(detail));
  const lines = [
    message,
    ...newDetails.map(({ path, message: detail }) => `  ${path}: ${detail}`),
    hint,
    failureHint?.hint,
    requestId === undefined ? undefined : `(request ${requestId})`,
  ];
  return sanitizeText(lines.filter((line) => line !== undefined).join('\n'));
}
