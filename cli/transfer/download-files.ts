import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { formatBytes } from '../../words/bytes.ts';
import type { ProgressView } from '../show/progress-view.ts';
import type { Destination } from './destinations.ts';
import { downloadToDisk, refuseTaken } from './download-to-disk.ts';

export type DownloadedFile = { name: string; path: string; sizeBytes: number };

type Options = { force: boolean; signal: AbortSignal; view: ProgressView };

/**
 * Downloads files one after another; none, where any of their paths is taken.
 * @throws as `downloadToDisk` does
 */
export async function downloadFiles(
  destinations: readonly Destination[],
  { force, signal, view }: Options,
): Promise<DownloadedFile[]> {
  if (!force) for (const { path } of destinations) await refuseTaken(path);
  const files: DownloadedFile[] = [];
  for (const { name, url, path } of destinations) {
    await mkdir(dirname(path), { recursive: true });
    const label = basename(path);
    const onProgress = (bytes: number, ofBytes = bytes) => {
      const percent = (bytes / ofBytes) * 100;
      view.show({
        key: path,
        label,
        percent,
        note: 'downloading',
        detail: formatBytes(bytes),
        isDone: false,
      });
    };
    const sizeBytes = await downloadToDisk({ url, path, force, signal, onProgress });
    view.show({ key: path, label, percent: 100, note: 'downloaded', isDone: true });
    files.push({ name, path, sizeBytes });
  }
  return files;
}
