import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { RangePut } from '@media-jobs/client';
import { storageRejectionError, storageUnreachableError } from '@media-jobs/client';
import { CliError } from '../cli-error.ts';

type DiskPut = RangePut & { path: string };

/**
 * PUTs a byte range of a file to a signed URL, streamed from disk.
 * @returns the ETag of the stored object or part
 * @throws ApiError if the storage rejects the request or is unreachable; CliError `file` if the file has changed; the
 *   read error of the disk; the signal's reason if it aborts
 */
export async function putFromDisk({ path, url, start, end, signal, onProgress }: DiskPut): Promise<string> {
  const read: { error?: unknown } = {};
  async function* body() {
    let sentBytes = 0;
    try {
      // `end` is exclusive in RangePut, inclusive in createReadStream.
      for await (const buffer of createReadStream(path, { start, end: end - 1 })) {
        yield buffer;
        sentBytes += buffer.length;
        onProgress(sentBytes);
      }
    } catch (error) {
      read.error = error;
      throw error;
    }
  }
  const headers = { 'content-length': String(end - start) };
  const response = await fetch(url, { method: 'PUT', headers, body: body(), duplex: 'half', signal }).catch(
    (error: Error) => {
      if (signal.aborted) throw signal.reason;
      throw read.error ?? toPutError(error, path);
    },
  );
  await response.body?.cancel();
  if (response.ok) return response.headers.get('etag') ?? '';
  throw storageRejectionError(basename(path), response.status);
}

function toPutError(error: Error, path: string): Error {
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return new CliError('file', `${basename(path)} changed during the upload.`, { cause: error });
  }
  return storageUnreachableError(error);
}
