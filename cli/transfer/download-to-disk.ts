import { createWriteStream } from 'node:fs';
import { link, lstat, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../client/api-error.ts';
import { CliError } from '../cli-error.ts';

export type DiskDownload = {
  url: string;
  path: string;
  /** Whether a file that is there already may be replaced. */
  force: boolean;
  signal: AbortSignal;
  onProgress: (bytes: number, ofBytes: number | undefined) => void;
};

/**
 * Downloads to a disk, chunk by chunk, into `<path>.part`, which takes its name once it is whole. Returns the size.
 * @throws CliError `file` where the path is taken; ApiError where the storage refuses or cannot be reached
 */
export async function downloadToDisk(download: DiskDownload): Promise<number> {
  const { path, force } = download;
  if (!force) await refuseTaken(path);
  const part = `${path}.part`;
  try {
    const sizeBytes = await receive(download, part);
    await (force ? rename(part, path) : renameToFree(part, path));
    return sizeBytes;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** @throws CliError `file` where something has this path */
export async function refuseTaken(path: string): Promise<void> {
  const isTaken = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(path);
}

async function receive({ url, signal, onProgress }: DiskDownload, part: string): Promise<number> {
  const answer = await fetch(url, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? signal.reason : unreachable(cause);
  });
  const { ok, status, body, headers } = answer;
  if (!ok || body === null) {
    const message = `The storage refused the download (${status}).`;
    throw new ApiError({ status, code: `HTTP_${status}`, message, retryable: status >= 500 });
  }
  const ofBytes = Number(headers.get('content-length')) || undefined;
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        onProgress(bytes, ofBytes);
        yield chunk;
      }
    } catch (cause) {
      throw signal.aborted ? signal.reason : unreachable(cause);
    }
  }
  await pipeline(counted(body), createWriteStream(part));
  return bytes;
}

/** A rename would replace what appeared at the path meanwhile; a hard link does not. */
async function renameToFree(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') throw taken(path);
    // Not every file system has hard links.
    return rename(part, path);
  }
  await rm(part);
}

function taken(path: string): CliError {
  return new CliError('file', `${path} is there already.`, { hint: 'Add --force to replace it.' });
}

function unreachable(cause: unknown): ApiError {
  const message = 'The download broke off.';
  return new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause });
}
