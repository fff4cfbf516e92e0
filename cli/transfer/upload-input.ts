import { basename } from 'node:path';
import type { Client } from '../../client/client.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import { formatBytes } from '../../formatting/quantities.ts';
import type { ProgressView } from '../show/progress-view.ts';
import { type LocalFile, uploadFromDisk } from './upload-from-disk.ts';

export type UploadInputOptions = { client: Client; view: ProgressView; signal: AbortSignal; pause: Sleep };

/** Uploads a job's input, under the eyes of a view, and gives the URL that names it. Throws as `uploadFile` does. */
export async function uploadInput(
  file: LocalFile,
  { client, view, signal, pause }: UploadInputOptions,
): Promise<string> {
  const { path, sizeBytes } = file;
  const shown = { key: path, label: basename(path) };
  const whole = formatBytes(sizeBytes);
  const onProgress = (bytes: number) => {
    const detail = `${formatBytes(bytes)} of ${whole}`;
    view.show({ ...shown, percent: (bytes / sizeBytes) * 100, activity: 'uploading', detail, isDone: false });
  };
  const inputUrl = await uploadFromDisk({ client, file, signal, pause, onProgress });
  view.show({ ...shown, percent: 100, activity: 'uploaded', isDone: true });
  return inputUrl;
}
