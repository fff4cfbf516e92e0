import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import {
  type Client,
  type RangePut,
  type Sleep,
  storageRejectionError,
  storageUnreachableError,
  type UploadMemory,
  uploadFile,
} from '@media-jobs/client';
import { type Format, formats } from '@media-jobs/video/media';
import { CliError } from '../cli-error.ts';
import { formatBytes } from '../formatting/quantities.ts';
import type { ProgressView } from '../show/progress-view.ts';

export type LocalFile = { path: string; sizeBytes: number };

const maxNameLength = 200;

/** @throws CliError `file` if the path is not a file, or the file is empty; the error of `stat`, such as EACCES */
export async function findLocalFile(path: string): Promise<LocalFile> {
  const stats = await stat(path).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    const hint = 'Give the path of a file, or an http(s) URL.';
    throw new CliError('file', `There is no file at ${path}.`, { hint, cause });
  });
  if (!stats.isFile()) throw new CliError('file', `${path} is not a file.`);
  if (stats.size === 0) throw new CliError('file', `${path} is empty.`);
  return { path, sizeBytes: stats.size };
}

export type UploadInputOptions = Omit<DiskUpload, 'file' | 'onProgress'> & { view: ProgressView };

/** Uploads a job input with a progress view. Returns the URL for the request. Throws like `uploadFile`. */
export async function uploadInput(file: LocalFile, { view, ...options }: UploadInputOptions): Promise<string> {
  const { path, sizeBytes } = file;
  const item = { key: path, label: basename(path) };
  const onProgress = (bytes: number) => {
    const percent = (bytes / sizeBytes) * 100;
    const detail = `${formatBytes(bytes)} of ${formatBytes(sizeBytes)}`;
    view.show({ ...item, percent, activity: 'uploading', detail, isDone: false });
  };
  const inputUrl = await uploadFromDisk({ ...options, file, onProgress });
  view.show({ ...item, percent: 100, activity: 'uploaded', isDone: true });
  return inputUrl;
}

type DiskUpload = {
  client: Client;
  file: LocalFile;
  signal: AbortSignal;
  sleep: Sleep;
  newId: () => string;
  memory?: UploadMemory | undefined;
  onProgress: (bytes: number) => void;
};

/** Streams the file from disk: it is never in memory as a whole. */
export function uploadFromDisk({ file, ...options }: DiskUpload): Promise<string> {
  const { path, sizeBytes } = file;
  // The cut may split a surrogate pair.
  const name = basename(path).slice(-maxNameLength).toWellFormed();
  const extension = extname(path).slice(1).toLowerCase();
  const contentType = extension in formats ? formats[extension as Format].mimeType : undefined;
  return uploadFile({
    ...options,
    source: { name, sizeBytes, contentType },
    putRange: (put) => putFromDisk({ ...put, path }),
  });
}

type DiskPut = RangePut & { path: string };

/**
 * PUTs a byte range of a file to a signed URL, streamed from disk.
 * @returns the ETag of the stored object or part
 * @throws ApiError if the storage rejects the request or is unreachable; CliError `file` if the file has changed; the
 *   read error of the disk; the signal's reason if it aborts
 */
async function putFromDisk({ path, url, start, end, signal, onProgress }: DiskPut): Promise<string> {
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
