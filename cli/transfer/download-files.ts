import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Sleep } from '../../client/upload-retry.ts';
import { formatBytes } from '../../formatting/quantities.ts';
import type { ProgressView } from '../show/progress-view.ts';
import type { Destination } from './destinations.ts';
import { assertPathFree, downloadToDisk } from './download-to-disk.ts';

export type DownloadedFile = { name: string; path: string; sizeBytes: number };

type Options = {
  force: boolean;
  signal: AbortSignal;
  pause: Sleep;
  view: ProgressView;
  /** Gives the URL of a destination, signed anew; for files that take longer than their URLs live. */
  renewUrl?: (destination: Destination) => Promise<string>;
};

/**
 * Downloads files one after another; none, where any of their paths is taken.
 * @throws as `downloadToDisk` does
 */
export async function downloadFiles(
  destinations: readonly Destination[],
  { force, signal, pause, view, renewUrl }: Options,
): Promise<DownloadedFile[]> {
  if (!force) for (const { path } of destinations) await assertPathFree(path);
  const files: DownloadedFile[] = [];
  for (const destination of destinations) {
    const { name, url, path } = destination;
    await mkdir(dirname(path), { recursive: true });
    const label = basename(path);
    const onProgress = (bytes: number, ofBytes = bytes) => {
      const percent = (bytes / ofBytes) * 100;
      view.show({
        key: path,
        label,
        percent,
        activity: 'downloading',
        detail: formatBytes(bytes),
        isDone: false,
      });
    };
    const renewed = renewUrl && (() => renewUrl(destination));
    const sizeBytes = await downloadToDisk({
      url,
      renewUrl: renewed,
      path,
      force,
      signal,
      pause,
      onProgress,
    });
    view.show({ key: path, label, percent: 100, activity: 'downloaded', isDone: true });
    files.push({ name, path, sizeBytes });
  }
  return files;
}
