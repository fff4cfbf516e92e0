import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../client/api-error.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import { mayHaveExpired } from '../../client/upload-retry.ts';

export type ResumableDownload = {
  url: string;
  /** Gives the URL signed anew, where it is one of ours: it lives for an hour at most, and a slow line may take longer. */
  renewUrl?: (() => Promise<string>) | undefined;
  signal: AbortSignal;
  pause: Sleep;
  onProgress: (bytes: number, ofBytes: number | undefined) => void;
};

/** How much of which file has been written. */
type Received = { bytes: number; etag: string | undefined };

const mostFailures = 4;
const firstPauseMs = 1_000;

/**
 * Receives what is at a URL into a file and returns its size. Where the connection breaks it goes on from there, if
 * the storage still has the same file; it gives up once four tries in a row have brought nothing.
 * @throws ApiError where the storage refuses or cannot be reached; the error of the disk; the signal's reason
 */
export async function downloadWithResume(request: ResumableDownload, path: string): Promise<number> {
  const received: Received = { bytes: 0, etag: undefined };
  let { url } = request;
  let [furthest, failures, isRenewed] = [0, 0, false];
  for (;;) {
    try {
      await receiveRest({ ...request, url }, path, received);
      return received.bytes;
    } catch (error) {
      if (received.bytes > furthest) [furthest, failures, isRenewed] = [received.bytes, 0, false];
      failures += 1;
      if (request.renewUrl && mayHaveExpired(error) && !isRenewed) {
        url = await request.renewUrl();
        isRenewed = true;
      } else if (failures < mostFailures && isPassing(error)) {
        await request.pause(firstPauseMs * 2 ** (failures - 1), request.signal);
      } else throw error;
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && error.retryable;
}

async function receiveRest(
  { url, signal, onProgress }: ResumableDownload,
  path: string,
  received: Received,
): Promise<void> {
  const { body, status, headers } = await ask(url, signal, received);
  if (status !== 206) received.bytes = 0;
  received.etag = headers.get('etag') ?? undefined;
  const rest = Number(headers.get('content-length')) || undefined;
  const ofBytes = rest && received.bytes + rest;
  let end: unknown;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of chunks) {
        received.bytes += chunk.length;
        yield chunk;
        onProgress(received.bytes, ofBytes);
      }
    } catch (cause) {
      // Not thrown here: what has come so far shall be on the disk before the rest is asked for.
      end = signal.aborted ? signal.reason : brokenOff(cause);
    }
  }
  await pipeline(counted(body), createWriteStream(path, { flags: status === 206 ? 'a' : 'w' }));
  if (end !== undefined) throw end;
}

async function ask(url: string, signal: AbortSignal, { bytes, etag }: Received) {
  // Without a tag nobody could tell whether the rest belongs to the same file.
  const headers: Record<string, string> =
    bytes > 0 && etag !== undefined ? { range: `bytes=${bytes}-`, 'if-range': etag } : {};
  const answer = await fetch(url, { signal, headers }).catch((cause: unknown) => {
    throw signal.aborted ? signal.reason : brokenOff(cause);
  });
  const { ok, status, body } = answer;
  if (ok && body !== null) return { status, body, headers: answer.headers };
  const message = `The storage refused the download (${status}).`;
  throw new ApiError({ status, code: `HTTP_${status}`, message, retryable: status >= 500 });
}

function brokenOff(cause: unknown): ApiError {
  const message = 'The download broke off.';
  return new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause });
}
