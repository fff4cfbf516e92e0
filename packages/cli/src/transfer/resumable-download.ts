import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Sleep } from '@media-jobs/client';
import {
  ApiError,
  apiErrorFromResponse,
  isErrorBody,
  mayHaveExpired,
  storageRejectionError,
  storageUnreachableError,
} from '@media-jobs/client';

export type ResumableDownload = {
  url: string;
  /** Returns a new signed URL: a URL is valid for an hour by default, a download may take longer. */
  renewUrl?: (() => Promise<string>) | undefined;
  signal: AbortSignal;
  sleep: Sleep;
  onProgress: (bytes: number, totalBytes: number | undefined) => void;
};

/** Bytes on disk so far, and the ETag of the object they belong to. */
type Received = { bytes: number; etag: string | undefined };

const maxFailures = 4;
const firstDelayMs = 1_000;

/**
 * Downloads a URL to a file. A broken connection is resumed with a range request if the object has not changed. Gives
 * up after four attempts in a row without a new byte.
 * @returns the size in bytes
 * @throws ApiError if the storage rejects the request or is unreachable; the write error of the disk; the signal's
 *   reason if it aborts
 */
export async function downloadWithResume(download: ResumableDownload, path: string): Promise<number> {
  const received: Received = { bytes: 0, etag: undefined };
  let { url } = download;
  let [bytesBefore, failures, isRenewed] = [0, 0, false];
  for (;;) {
    try {
      await receiveRest({ ...download, url }, path, received);
      return received.bytes;
    } catch (error) {
      if (received.bytes > bytesBefore) [bytesBefore, failures, isRenewed] = [received.bytes, 0, false];
      failures += 1;
      if (download.renewUrl && mayHaveExpired(error) && !isRenewed) {
        url = await download.renewUrl();
        isRenewed = true;
      } else if (failures < maxFailures && error instanceof ApiError && error.retryable) {
        await download.sleep(firstDelayMs * 2 ** (failures - 1), download.signal);
      } else throw error;
    }
  }
}

async function receiveRest(
  { url, signal, onProgress }: ResumableDownload,
  path: string,
  received: Received,
): Promise<void> {
  const { body, status, headers } = await request(url, signal, received);
  if (status !== 206) received.bytes = 0;
  received.etag = headers.get('etag') ?? undefined;
  // The length of a compressed response is not that of the file.
  const restBytes = headers.has('content-encoding') ? undefined : Number(headers.get('content-length')) || undefined;
  const totalBytes = restBytes && received.bytes + restBytes;
  let interruption: unknown;
  async function* counted(buffers: AsyncIterable<Uint8Array>) {
    try {
      for await (const buffer of buffers) {
        received.bytes += buffer.length;
        yield buffer;
        onProgress(received.bytes, totalBytes);
      }
    } catch (cause) {
      // Thrown after the pipeline, so that all received bytes are on disk before the next range request.
      interruption = signal.aborted ? signal.reason : interruptedError(cause);
    }
  }
  await pipeline(counted(body), createWriteStream(path, { flags: status === 206 ? 'a' : 'w' }));
  if (interruption !== undefined) throw interruption;
}

async function request(url: string, signal: AbortSignal, { bytes, etag }: Received) {
  // Without an ETag it is unknown whether the rest belongs to the same object: start again.
  const headers: Record<string, string> =
    bytes > 0 && etag !== undefined ? { range: `bytes=${bytes}-`, 'if-range': etag } : {};
  const response = await fetch(url, { signal, headers }).catch((cause: unknown) => {
    throw signal.aborted ? signal.reason : interruptedError(cause);
  });
  const { ok, status, body } = response;
  if (ok && body !== null) return { status, body, headers: response.headers };
  // A redirect of the API to a storage may fail before the storage.
  const failure: unknown = await response.json().catch(() => undefined);
  if (isErrorBody(failure)) throw apiErrorFromResponse(response, failure);
  throw storageRejectionError('the download', status);
}

function interruptedError(cause: unknown): ApiError {
  return storageUnreachableError(cause, 'The download was interrupted.');
}
