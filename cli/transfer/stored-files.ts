import type { JobResource } from '../../core/api/job-resource.ts';
import { canReferenceFiles } from '../../core/media/playlists/references.ts';

/** A file as it is stored, and the name by which others call it. */
export type StoredFile = { name: string; url: string; filename: string };

/**
 * The files of a job of which some name others, such as playlists: as they are stored and under the names that they call
 * each other by, so that they play from any folder. Undefined where none does.
 */
export function storedFiles({ output_files = {} }: JobResource): StoredFile[] | undefined {
  const files = Object.entries(output_files);
  if (files.length === 1 || !files.some(([, { file_format }]) => canReferenceFiles(file_format)))
    return undefined;
  const stored = files.map(([name, { storage_url: url }]) => ({ name, url, filename: lastName(url) }));
  // Whatever an API answers, nothing is written beside the folder.
  return stored.every(({ filename }) => /^[A-Za-z0-9][\w.-]*$/.test(filename)) ? stored : undefined;
}

function lastName(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
