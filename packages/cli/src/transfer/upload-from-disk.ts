import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Client, Sleep, UploadMemory } from '@media-jobs/client';
import { uploadFile } from '@media-jobs/client';
import { type Format, formats } from '@media-jobs/video/media';
import { CliError } from '../cli-error.ts';
import { formatBytes } from '../formatting/quantities.ts';
import type { ProgressView } from '../show/progress-view.ts';
import { putFromDisk } from './put-from-disk.ts';

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
