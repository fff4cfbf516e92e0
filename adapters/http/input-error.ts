import { STATUS_CODES } from 'node:http';
import { JobError } from '../../core/errors.ts';
import { toDiskFullError } from '../../core/media/ffmpeg/disk-full.ts';
import { HttpFailure, type HttpFailureClass } from './http-failure.ts';

const transientClasses: ReadonlySet<HttpFailureClass> = new Set([
  'connect',
  'connect-timeout',
  'reset',
  'timeout',
]);

/** Of the other classes: a name server or a TLS handshake that failed as a connection does. */
const transientCodes = new Set(['EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const transientStatuses = new Set([408, 425, 429]);

/** Whether a failure may be over the next time: a bad certificate or an unknown name will still be there. */
export function isTransient(failure: HttpFailure): boolean {
  return transientClasses.has(failure.errorClass) || transientCodes.has(failure.code ?? '');
}

/** What a failed connection or answer, or a full disk, means to the owner of a job; any other error stays what it is. */
export function asInputError(error: unknown): unknown {
  if (!(error instanceof HttpFailure)) return toDiskFullError(error);
  const code = error.errorClass === 'address-forbidden' ? 'INPUT_FORBIDDEN' : 'INPUT_UNREACHABLE';
  return new JobError(code, error.message, { retryable: isTransient(error), cause: error });
}

/** The refusal of a server to send the input. The reason phrase is ours: the server's may say anything. */
export function statusError(host: string, status: number): JobError {
  const answered = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  return new JobError('INPUT_UNREACHABLE', answered, {
    retryable: status >= 500 || transientStatuses.has(status),
  });
}

/** The error of an input that may not be fetched, however often it is tried. */
export function forbiddenError(message: string): JobError {
  return new JobError('INPUT_FORBIDDEN', message);
}

/** The error of an input over its limit. `knownBytes` is left out where the input was cut before its size was known. */
export function tooLargeError(maxBytes: number, knownBytes?: number): JobError {
  const size = knownBytes === undefined ? 'too many' : knownBytes;
  const message = `The input has ${size} bytes; the limit is ${maxBytes} bytes`;
  return new JobError('INPUT_TOO_LARGE', message);
}
