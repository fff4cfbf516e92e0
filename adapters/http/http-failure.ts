import type { PostErrorClass } from '../../core/net/post-outcome.ts';

/** What can go wrong between a name and the end of an answer. */
export type HttpFailureClass = Exclude<PostErrorClass, 'redirect' | 'http-status' | 'aborted'>;

/**
 * A connection or an answer that failed. The message is a sentence for the person who gave the URL: it names the host
 * but neither path, query nor resolved address, which may be secrets of theirs or of our network. `code` is the
 * system's: `ECONNREFUSED`.
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

/** The failure of an exchange on an open connection, from what Node reports. */
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

/** The code of a system error: `ECONNRESET`, `HPE_INVALID_CONSTANT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
