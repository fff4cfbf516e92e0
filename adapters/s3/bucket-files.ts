import { AppError } from '../../core/errors.ts';
import type { FileStorage } from '../../core/jobs/ports.ts';
import { type Presign, signDownload } from './presign.ts';
import { readPlaylist } from './read-playlist.ts';

/** Two tries fit into the function's 20 s. */
const timeoutMs = 8_000;

/** Reads and presigns objects of one bucket. Needs no S3 client. */
export function bucketFiles(presign: Presign): FileStorage {
  return {
    readText: async (key) => readSignedUrl((await presign({ method: 'GET', key, lifetimeSeconds: 60 })).url),
    sign: signDownload(presign),
  };
}

/**
 * Reads an object as text by its presigned URL.
 * @throws AppError `NOT_FOUND`, `PAYLOAD_TOO_LARGE` or `UNAVAILABLE`, without S3's own message
 */
async function readSignedUrl(url: string): Promise<string> {
  try {
    return await readOnce(url);
  } catch (cause) {
    // S3 answers 503 while it scales, and a connection may break: the SDK, which retries, is not used here.
    if (!(cause instanceof AppError && cause.code === 'UNAVAILABLE')) throw cause;
    return await readOnce(url);
  }
}

async function readOnce(url: string): Promise<string> {
  const response = await fetchObject(url);
  if (!response.ok) {
    await response.body?.cancel();
    throw errorForStatus(response.status);
  }
  try {
    return await readPlaylist(response.body ?? []);
  } catch (cause) {
    throw cause instanceof AppError ? cause : storageUnavailable(cause);
  }
}

async function fetchObject(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw storageUnavailable(cause);
  }
}

function errorForStatus(status: number): AppError {
  // Without `s3:ListBucket` S3 answers 403 for a missing key.
  if (status === 404 || status === 403) return new AppError('NOT_FOUND', 'The file was deleted.');
  return storageUnavailable(new Error(`S3 answered ${status}`));
}

function storageUnavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The storage does not answer; try again shortly.', { cause });
}
