import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import { toDiskFullError } from '@media-jobs/video/media';
import { HttpFailure, type HttpFailureClass } from './http-failure.ts';

const transientClasses: ReadonlySet<HttpFailureClass> = new Set(['connect', 'connect-timeout', 'reset', 'timeout']);

/** Transient failures in other classes: a DNS server or a TLS handshake that failed like a connection. */
const transientCodes = new Set(['EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const transientStatuses = new Set([408, 425, 429]);

/** True if a retry may succeed. False for a bad certificate or an unknown name: those persist. */
export function isTransient(failure: HttpFailure): boolean {
  return transientClasses.has(failure.errorClass) || transientCodes.has(failure.code ?? '');
}

/** Converts a failed connection or response, or a full disk, to a JobError; returns other errors unchanged. */
export function toInputError(error: unknown): unknown {
  if (!(error instanceof HttpFailure)) return toDiskFullError(error);
  const code = error.errorClass === 'address-forbidden' ? 'INPUT_FORBIDDEN' : 'INPUT_UNREACHABLE';
  return new JobError(code, error.message, { retryable: isTransient(error), cause: error });
}

/** The error for a status other than 200. Uses Node's reason phrase: the server's could contain anything. */
export class StatusError extends JobError {
  /** @param reason the error code of the store that answered */
  constructor(host: string, { statusCode: status = 0, headers }: IncomingMessage, reason?: string) {
    const phrase = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
    const retryable = status >= 500 || transientStatuses.has(status);
    super('INPUT_UNREACHABLE', reason === undefined ? phrase : `${phrase} (${reason})`, {
      retryable,
      retryAfterMs: retryable ? retryAfterMs(headers) : undefined,
    });
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3), which counts from the server's clock. Undefined for anything else. */
function retryAfterMs({ 'retry-after': after = '', date = '' }: IncomingHttpHeaders): number | undefined {
  if (/^\d+$/.test(after)) return Number(after) * 1_000;
  const waitMs = Date.parse(after) - (Date.parse(date) || Date.now());
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** The error for a URL that no job may read, such as one of a private address. */
export function forbiddenError(message: string): JobError {
  return new JobError('INPUT_FORBIDDEN', message);
}

/** The error for an input over its limit. Omit `knownBytes` if the download was cut before the size was known. */
export function tooLargeError(maxBytes: number, knownBytes?: number): JobError {
  const size = knownBytes === undefined ? 'too many' : knownBytes;
  const message = `The input has ${size} bytes; the limit is ${maxBytes} bytes`;
  return new JobError('INPUT_TOO_LARGE', message);
}
