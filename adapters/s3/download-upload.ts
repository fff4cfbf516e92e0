import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { JobError } from '../../core/errors.ts';
import { toDiskFullError } from '../../core/media/ffmpeg/disk-full.ts';
import { type BucketAccess, openObject } from './open-object.ts';
import { toReadError } from './read-error.ts';
import { readObject } from './read-object.ts';

export type UploadDownloadRequest = {
  key: string;
  /** The file to write; removed if the download fails. */
  path: string;
  maxBytes: number;
  signal: AbortSignal;
  onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

/**
 * Brings an uploaded file to this machine. Throws JobError INPUT_UNREACHABLE where there is none, INPUT_TOO_LARGE
 * before a byte of a file over the limit is read, and where the disk cannot hold it; when `signal` aborts, its reason.
 */
export async function downloadUpload(
  place: BucketAccess,
  request: UploadDownloadRequest,
): Promise<{ bytes: number }> {
  const { key, path, maxBytes, signal } = request;
  try {
    const opened = await openObject(place, { key }, signal);
    const { bytes, version, body } = opened;
    if (bytes > maxBytes) {
      body.destroy();
      const message = `The input has ${bytes} bytes; the limit is ${maxBytes} bytes`;
      throw new JobError('INPUT_TOO_LARGE', message);
    }
    const pieces = readObject(place, { key, start: 0, end: bytes, version }, { signal, opened });
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(reportingProgress(pieces, bytes, request), file, { signal }).finally(() => body.destroy());
    return { bytes };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw toReadError(
      toDiskFullError(error),
      'There is no such upload: it was never finished, or its 7 days are over',
    );
  }
}

/** The same pieces, and how far they are. */
async function* reportingProgress(
  pieces: AsyncIterable<Buffer>,
  totalBytes: number,
  { onProgress }: UploadDownloadRequest,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    onProgress({ bytes, totalBytes });
    yield piece;
  }
}
