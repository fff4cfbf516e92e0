import type { PostErrorClass } from '../../core/net/post-outcome.ts';

/** Failures from the DNS lookup to the end of the response. */
export type HttpFailureClass = Exclude<PostErrorClass, 'redirect' | 'http-status' | 'aborted'>;

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

/** Whether a connection closed before its body was complete. */
export function isCut(error: unknown): error is HttpFailure {
  return error instanceof HttpFailure && error.errorClass === 'reset';
}

/** The code of a system error, such as `ECONNRESET` or `HPE_INVALID_CONSTANT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
