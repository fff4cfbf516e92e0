import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import { toDiskFullError } from '@media-jobs/video/media';
import type { PostErrorClass } from '../../core/net/ports.ts';

/** Failures from the DNS lookup to the end of the response. */
type HttpFailureClass = Exclude<PostErrorClass, 'redirect' | 'http-status' | 'aborted'>;

/**
 * A failed connection or response. The message is for the person who supplied the URL. It contains the host, but not
 * path, query or resolved address: those may be secrets of the caller or of the service's network. `code` is the
 * system's, such as `ECONNREFUSED`.
 */
export class HttpFailure extends Error {
  readonly errorClass: HttpFailureClass;
  readonly code: string | undefined;

  constructor(errorClass: HttpFailureClass, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'HttpFailure';
    this.errorClass = errorClass;
    this.code = codeOf(options.cause);
  }
}

/** A body that arrives too slowly to be worth a worker. A response that had brought much may have met a passing fault. */
export class SlowHostFailure extends HttpFailure {
  readonly receivedBytes: number;

  constructor(message: string, receivedBytes: number) {
    super('timeout', message);
    this.receivedBytes = receivedBytes;
  }
}

/** Converts an error of Node on an open connection to an HttpFailure. */
export function exchangeFailure(host: string, cause: unknown): HttpFailure {
  const code = codeOf(cause) ?? 'no code';
  if (code.startsWith('HPE_')) {
    return new HttpFailure('protocol', `${host} did not answer with valid HTTP (${code})`, { cause });
  }
  if (code.startsWith('ERR_SSL')) {
    return new HttpFailure('tls', `The encrypted connection to ${host} broke (${code})`, { cause });
  }
  const message = `${host} closed the connection before its answer was complete (${code})`;
  return new HttpFailure('reset', message, { cause });
}

/** A response that ended before its announced length. */
export function incompleteBody(host: string): HttpFailure {
  return new HttpFailure('reset', `${host} sent less than it had announced`);
}

/** A body whose connection closed before its `Content-Length`. */
export class ShortBodyFailure extends HttpFailure {
  readonly sentBytes: number;

  constructor(host: string, { statedBytes, sentBytes, cause }: ShortBody) {
    super('reset', `${host} stated ${statedBytes} bytes and sent ${sentBytes}`, { cause });
    this.sentBytes = sentBytes;
  }
}

type ShortBody = { statedBytes: number; sentBytes: number; cause: unknown };

export function isCut(error: unknown): error is HttpFailure {
  return error instanceof HttpFailure && error.errorClass === 'reset';
}

/** The code of a system error, such as `ECONNRESET` or `HPE_INVALID_CONSTANT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const transientClasses: ReadonlySet<HttpFailureClass> = new Set(['connect', 'connect-timeout', 'reset', 'timeout']);

/** Transient failures in other classes: a DNS server or a TLS handshake that failed like a connection. */
const transientCodes = new Set(['EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const transientStatuses = new Set([408, 425, 429]);

/** True if a retry may succeed. False for a bad certificate or an unknown name: those persist. */
function isTransient(failure: HttpFailure): boolean {
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

export function forbiddenError(message: string): JobError {
  return new JobError('INPUT_FORBIDDEN', message);
}

/** The error for an input over its limit. Omit `knownBytes` if the download was cut before the size was known. */
export function tooLargeError(maxBytes: number, knownBytes?: number): JobError {
  const size = knownBytes === undefined ? 'too many' : knownBytes;
  return new JobError('INPUT_TOO_LARGE', `The input has ${size} bytes; the limit is ${maxBytes} bytes`);
}

/** A connection that brought this many bytes is no failed attempt: servers and proxies end long ones. */
export const progressBytes = 1_024 * 1_024;

/** Whether the same request may succeed if it is repeated. */
export function mayRetry(error: unknown): boolean {
  if (error instanceof SlowHostFailure) return error.receivedBytes >= progressBytes;
  return error instanceof HttpFailure ? isTransient(error) : error instanceof StatusError && error.retryable;
}
