import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Client } from '../../client/client.ts';
import { uploadFile } from '../../client/upload-file.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import { type Format, formats } from '../../core/media/formats.ts';
import { CliError } from '../cli-error.ts';
import { putFromDisk } from './put-from-disk.ts';

export type LocalFile = { path: string; sizeBytes: number };

const longestName = 200;

/**
 * A file that can be uploaded.
 * @throws CliError `file` where there is none, or nothing in it
 */
export async function findLocalFile(path: string): Promise<LocalFile> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new CliError('file', `There is no file at ${path}: give the path of a video, or its http(s) URL`, {
      cause,
    });
  });
  if (!found.isFile()) throw new CliError('file', `${path} is not a file.`);
  if (found.size === 0) throw new CliError('file', `${path} is empty.`);
  return { path, sizeBytes: found.size };
}

export type DiskUpload = {
  client: Client;
  file: LocalFile;
  signal: AbortSignal;
  pause: Sleep;
  onProgress: (bytes: number) => void;
};

/** Uploads a file from the disk, never holding more of it than goes out; gives the URL that names it as an input. */
export function uploadFromDisk({
  client,
  file,
  signal,
  pause: sleep,
  onProgress,
}: DiskUpload): Promise<string> {
  const { path, sizeBytes } = file;
  const extension = extname(path).slice(1).toLowerCase();
  const contentType = extension in formats ? formats[extension as Format].mimeType : undefined;
  return uploadFile({
    client,
    source: { name: basename(path).slice(-longestName), sizeBytes, contentType },
    signal,
    sleep,
    putRange: (put) => putFromDisk({ ...put, path }),
    onProgress,
  });
}
