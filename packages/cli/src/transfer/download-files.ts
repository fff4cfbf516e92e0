import { mkdir } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import type { Sleep } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { removeQueries } from '@media-jobs/video/media';
import type { CommandContext } from '../context/command-context.ts';
import { formatBytes } from '../formatting/quantities.ts';
import type { ProgressView } from '../show/progress-view.ts';
import { columns } from '../show/sanitize.ts';
import { type Destination, type DestinationOptions, destinations } from './destinations.ts';
import { assertPathFree, downloadToDisk } from './download-to-disk.ts';

export type DownloadedFile = { name: string; path: string; sizeBytes: number };

/** Downloads the files of a job with a progress view. Throws like `downloadFiles` and `destinations`. */
export async function downloadJobFiles(
  job: JobResource,
  { client, workingDirectory, signal, sleep, newId, openProgressView }: CommandContext,
  { path, force, inputs }: Pick<DestinationOptions, 'path' | 'inputs'> & { force: boolean },
): Promise<DownloadedFile[]> {
  const files = await destinations(job, { path, workingDirectory, inputs });
  const view = openProgressView();
  const renewUrl = async ({ name, url }: Destination) => {
    const current = await client.getJob({ params: { id: job.jobId } });
    const renewed = await destinations(current, { path, workingDirectory });
    return renewed.find((file) => file.name === name)?.url ?? url;
  };
  return downloadFiles(files, { force, signal, sleep, newId, view, renewUrl }).finally(view.end);
}

/** Up to this many files of a folder have a line each. */
const maxListed = 5;

/** A line for each file; for each folder of many, such as a stream, one line. */
export function formatDownloads(files: readonly DownloadedFile[]): string {
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  const rows = [...folders].flatMap(([folder, inside]) => {
    if (inside.length <= maxListed) return inside.map(({ path, sizeBytes }) => [formatBytes(sizeBytes), path]);
    const bytes = inside.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return [[formatBytes(bytes), `${folder}${sep} (${inside.length} files)`]];
  });
  return columns(rows);
}

type Options = {
  force: boolean;
  signal: AbortSignal;
  sleep: Sleep;
  newId: () => string;
  view: ProgressView;
  /** Returns a new signed URL: a large file can take longer than a URL is valid. */
  renewUrl?: (destination: Destination) => Promise<string>;
};

/**
 * Downloads files one after another. Downloads none if one of the paths already exists.
 * @throws like `downloadToDisk`
 */
export async function downloadFiles(
  files: readonly Destination[],
  { force, signal, sleep, newId, view, renewUrl }: Options,
): Promise<DownloadedFile[]> {
  if (!force) for (const { path } of files) await assertPathFree(path);
  const downloaded: DownloadedFile[] = [];
  const [{ path: first = '' } = {}, ...others] = files;
  const label = others.length === 0 ? basename(first) : `${files.length} files`;
  for (const [index, file] of files.entries()) {
    const { name, url, path, format } = file;
    await mkdir(dirname(path), { recursive: true });
    const onProgress = (bytes: number, totalBytes = bytes) => {
      const percent = ((index + bytes / totalBytes) / files.length) * 100;
      view.show({ key: first, label, percent, activity: 'downloading', detail: formatBytes(bytes), isDone: false });
    };
    const sizeBytes = await downloadToDisk({
      url,
      renewUrl: renewUrl && (() => renewUrl(file)),
      path,
      rewrite: format && ((text) => removeQueries(text, format)),
      force,
      signal,
      sleep,
      newId,
      onProgress,
    });
    downloaded.push({ name, path, sizeBytes });
  }
  view.show({ key: first, label, percent: 100, activity: 'downloaded', isDone: true });
  return downloaded;
}
