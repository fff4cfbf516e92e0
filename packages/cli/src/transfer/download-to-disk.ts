import { link, lstat, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { downloadWithResume, type ResumableDownload } from './resumable-download.ts';

export type DiskDownload = ResumableDownload & {
  path: string;
  /** Rewrites the text of a complete download. */
  rewrite?: ((text: string) => string) | undefined;
  /** Overwrites an existing file. */
  force: boolean;
  newId: () => string;
};

/**
 * Streams a download to a new hidden file in the same folder, and renames it to `path` once it is complete.
 * @returns the size in bytes
 * @throws CliError `file` if the path exists; ApiError if the storage rejects the request or is unreachable
 */
export async function downloadToDisk(download: DiskDownload): Promise<number> {
  const { path, force, newId, rewrite } = download;
  if (!force) await assertPathFree(path);
  // Without the name of the file: together they may be longer than a file system allows.
  const partialPath = join(dirname(path), `.media-jobs-${newId()}.part`);
  await writeFile(partialPath, '', { flag: 'wx' });
  try {
    await downloadWithResume(download, partialPath);
    if (rewrite) await writeFile(partialPath, rewrite(await readFile(partialPath, 'utf8')));
    const { size: sizeBytes } = await stat(partialPath);
    await (force ? rename(partialPath, path) : renameWithoutOverwriting(partialPath, path));
    return sizeBytes;
  } catch (error) {
    await rm(partialPath, { force: true });
    throw error;
  }
}

/** @throws CliError `file` if the path exists */
export async function assertPathFree(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw pathExistsError(path);
}

/** Uses a hard link: a rename would overwrite a file that was created in the meantime. */
async function renameWithoutOverwriting(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') throw pathExistsError(to);
    // The file system may not support hard links.
    return rename(from, to);
  }
  await rm(from);
}

function pathExistsError(path: string): CliError {
  return new CliError('file', `${path} already exists.`, { hint: 'Add --force to overwrite it.' });
}
