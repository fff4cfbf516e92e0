import { AppError } from '../../core/errors.ts';
import type { Clock, PlaylistFiles } from '../../core/jobs/ports.ts';
import type { Presign } from './presign.ts';

/** A DASH manifest lists every segment of every rendition: 5 MB for four hours of the shortest segments. */
const maxBytes = 8 * 1024 * 1024;
/** Two tries fit into the function's 20 s. */
const timeoutMs = 8_000;

const invalidUrlMessage = 'This URL was changed or has expired; request the job again to get a valid one.';

export type PlaylistFilesOptions = { bucketUrl: string; presign: Presign; clock: Pick<Clock, 'now'> };

/** Reads small objects of one bucket with the signature of a caller. */
export function signedReads(bucketUrl: string): Pick<PlaylistFiles, 'read'> {
  return {
    read({ key, signature }) {
      const path = key.split('/').map(encodeURIComponent).join('/');
      const query = Object.entries(signature).map((pair) => pair.map(encodeURIComponent).join('='));
      return readSignedUrl(`${bucketUrl}/${path}?${query.join('&')}`);
    },
  };
}

/** Reads playlists of one bucket by presigned URL, and presigns the files that they reference. */
export function playlistFiles({ bucketUrl, presign, clock }: PlaylistFilesOptions): PlaylistFiles {
  return {
    ...signedReads(bucketUrl),
    async sign(key, expiresAt) {
      const lifetimeSeconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
      // The signature was valid when the playlist was read, and has expired since.
      if (lifetimeSeconds < 1) throw new AppError('FORBIDDEN', invalidUrlMessage);
      const { url } = await presign({ method: 'GET', key, lifetimeSeconds });
      return url;
    },
  };
}

/**
 * Reads an object as text by its presigned URL; S3 validates the signature.
 * @throws AppError `FORBIDDEN`, `NOT_FOUND` or `UNAVAILABLE`, without S3's own message
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
  return await readText(response);
}

async function fetchObject(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw storageUnavailable(cause);
  }
}

function errorForStatus(status: number): AppError {
  if (status === 404) return new AppError('NOT_FOUND', 'There is no such playlist.');
  // 400: malformed signature. 403: wrong or expired signature, or a missing file.
  if (status === 400 || status === 403) return new AppError('FORBIDDEN', invalidUrlMessage);
  return storageUnavailable(new Error(`S3 answered ${status}`));
}

function storageUnavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The storage does not answer; try again shortly.', { cause });
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw storageUnavailable(cause);
  }
  if (bytes > maxBytes) throw new Error(`A playlist is larger than ${maxBytes} bytes`);
  return text + decoder.decode();
}
