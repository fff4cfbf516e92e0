import { basename } from 'node:path';
import type { Client } from '../../client/client.ts';
import type { Pause } from '../../client/pause.ts';
import { formatBytes } from '../../words/bytes.ts';
import type { ProgressView } from '../show/progress-view.ts';
import { type LocalFile, uploadFromDisk } from './upload-from-disk.ts';

export type BringInput = { client: Client; view: ProgressView; signal: AbortSignal; pause: Pause };

/** Uploads a job's input, under the eyes of a view, and gives the URL that names it. Throws as `uploadFile` does. */
export async function bringInput(
  file: LocalFile,
  { client, view, signal, pause }: BringInput,
): Promise<string> {
  const { path, sizeBytes } = file;
  const shown = { key: path, label: basename(path) };
  const whole = formatBytes(sizeBytes);
  const onProgress = (bytes: number) => {
    const detail = `${formatBytes(bytes)} of ${whole}`;
    view.show({ ...shown, percent: (bytes / sizeBytes) * 100, note: 'uploading', detail, isDone: false });
  };
  const inputUrl = await uploadFromDisk({ client, file, signal, pause, onProgress });
  view.show({ ...shown, percent: 100, note: 'uploaded', isDone: true });
  return inputUrl;
}
