import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { GetObjectCommand, HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { JobError } from '@media-jobs/video/errors';
import { progressBytes } from '../http/http-failure.ts';
import type { RangeSource } from '../http/range-proxy.ts';

/** Resumptions after failures: the SDK retries requests for less than a second, and not a body that breaks off. */
const maxResumes = 5;
/** Before a storage that was overloaded is asked again. Doubles each time. */
const firstPauseMs = 250;

const objectMissingMessage = 'The stored file of this job no longer exists';

export type BucketAccess = { client: S3Client; bucket: string };

export type ObjectVersion = { key: string; etag: string; totalBytes: number };

export type ObjectRef = { key: string; etag?: string };

/** Bytes of one version of an object, from `start` up to but excluding `end`. */
export type ObjectRange = { key: string; etag: string; start: number; end: number };

export type OpenedObject = {
  /** Destroyed when the signal aborts. */
  body: Readable;
  bytes: number;
  etag: string;
};

/** Reads size and ETag of an object. Throws JobError `INPUT_UNREACHABLE` if it, or the required version, is missing. */
export async function headObject(
  { client, bucket }: BucketAccess,
  { key, etag: required }: ObjectRef,
  signal: AbortSignal,
): Promise<ObjectVersion> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: required });
  const response = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
    throw toReadError(error, objectMissingMessage);
  });
  const { ETag: etag = '', ContentLength: totalBytes = 0 } = response;
  // Some emulators ignore IfMatch.
  if (required !== undefined && etag !== required) throw inputReplacedError();
  return { key, etag, totalBytes };
}

/** Requests a range of one version of an object, or the whole current version. */
export async function openObject(
  { client, bucket }: BucketAccess,
  requested: ObjectRange | { key: string },
  signal: AbortSignal,
): Promise<OpenedObject> {
  const range = 'etag' in requested ? requested : undefined;
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: requested.key,
    ...(range && { Range: `bytes=${range.start}-${range.end - 1}`, IfMatch: range.etag }),
  });
  const response = await client.send(command, { abortSignal: signal });
  const { Body: body, ContentLength: bytes = 0, ETag: etag = '' } = response;
  if (!(body instanceof Readable)) throw new Error('S3 answered without a body');
  // Some emulators ignore IfMatch.
  if (range && etag !== range.etag) {
    body.destroy();
    throw inputReplacedError();
  }
  if (range && bytes !== range.end - range.start) {
    body.destroy();
    throw new Error(`S3 sent ${bytes} bytes; ${range.end - range.start} were requested`);
  }
  return { body: addAbortSignal(signal, body), bytes, etag };
}

/**
 * Yields a range of an object in constant memory. Resumes after a failed connection, as often as bytes arrive, and while
 * the storage is overloaded. Always closes the connection, and closes it at once when the signal aborts.
 *
 * @param opened the response for this range, if it was requested already
 */
export async function* readObject(
  access: BucketAccess,
  range: ObjectRange,
  { signal, opened }: { signal: AbortSignal; opened?: OpenedObject },
): AsyncGenerator<Buffer> {
  let position = range.start;
  let response = opened;
  let resumes = 0;
  do {
    let isReaderSlow = false;
    const begun = position;
    try {
      response ??= await openObject(access, { ...range, start: position }, signal);
      for await (const chunk of response.body) {
        position += chunk.length;
        yield chunk;
        isReaderSlow = response.body.errored?.name === 'TimeoutError';
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!mayResume(error)) throw error;
      // The SDK also closes an idle connection when the reader is slow: that is no failure of S3.
      if (!isReaderSlow && position - begun < progressBytes) resumes += 1;
      if (resumes > maxResumes) throw error;
      if (error instanceof S3ServiceException)
        await delay(firstPauseMs * 2 ** (resumes - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    response = undefined;
  } while (position < range.end);
}

/**
 * Converts a failed read to a JobError if the job's owner caused it; returns other errors unchanged.
 *
 * @param missingMessage the message for a missing object
 */
export function toReadError(cause: unknown, missingMessage: string): unknown {
  if (!(cause instanceof S3ServiceException)) return cause;
  if (isMissing(cause)) return new JobError('INPUT_UNREACHABLE', missingMessage, { retryable: false, cause });
  return cause.$metadata.httpStatusCode === 412 ? inputReplacedError(cause) : cause;
}

/** True for a missing object. Needs `s3:ListBucket`; without it S3 answers 403 for a missing key. */
export function isMissing(cause: unknown): boolean {
  // A HEAD response has no body, so the SDK names the error after the status.
  return cause instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(cause.name);
}

function inputReplacedError(cause?: unknown): JobError {
  const message = 'The input was replaced while it was read; submit the job again';
  return new JobError('INPUT_UNREACHABLE', message, { cause });
}

/** Whether a read can resume: after a failed connection, and while the storage is overloaded. */
function mayResume(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { httpStatusCode = 0 } = error instanceof S3ServiceException ? error.$metadata : {};
  if (httpStatusCode >= 500 || httpStatusCode === 429) return true;
  // The SDK destroys an idle socket with an error of this name.
  if (error.name === 'TimeoutError') return true;
  return 'code' in error && ['ECONNRESET', 'ETIMEDOUT', 'EPIPE'].includes(String(error.code));
}

/**
 * Pins an object to its current version and reads ranges of it. Throws JobError `INPUT_UNREACHABLE` if it, or its
 * required version, is missing.
 *
 * @param toError converts the errors of the bucket
 */
export async function s3RangeSource(
  access: BucketAccess,
  object: ObjectRef,
  { signal, toError = (cause) => cause }: { signal: AbortSignal; toError?: (cause: unknown) => unknown },
): Promise<RangeSource> {
  const { key, etag, totalBytes } = await headObject(access, object, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw toError(cause);
  });
  return {
    totalBytes,
    async *read({ start, end }, reading) {
      try {
        yield* readObject(access, { key, etag, start, end }, { signal: reading });
      } catch (cause) {
        throw toError(toReadError(cause, objectMissingMessage));
      }
    },
  };
}
