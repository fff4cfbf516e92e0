import { link, lstat, rename, rm } from 'node:fs/promises';
import { CliError } from '../cli-error.ts';
import { downloadWithResume, type ResumableDownload } from './resumable-download.ts';

export type DiskDownload = ResumableDownload & {
  path: string;
  /** Whether a file that is there already may be replaced. */
  force: boolean;
};

/**
 * Downloads to a disk, chunk by chunk, into `<path>.part`, which takes its name once it is whole. Returns the size.
 * @throws CliError `file` where the path is taken; ApiError where the storage refuses or cannot be reached
 */
export async function downloadToDisk(download: DiskDownload): Promise<number> {
  const { path, force } = download;
  if (!force) await assertPathFree(path);
  const part = `${path}.part`;
  try {
    const sizeBytes = await downloadWithResume(download, part);
    await (force ? rename(part, path) : renameToFree(part, path));
    return sizeBytes;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** @throws CliError `file` where something has this path */
export async function assertPathFree(path: string): Promise<void> {
  const isTaken = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(path);
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
