import type { Client } from '../../client/client.ts';
import { uploadFile as upload } from '../../client/upload-file.ts';
import { abortableDelay } from './abortable-delay.ts';
import { putFile } from './put-file.ts';

export type Upload = {
  client: Client;
  file: File;
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
};

/**
 * Sends a file straight to the media bucket and gives the URL that names it as an input.
 * @throws ApiError; the signal's reason where it aborts
 */
export function uploadFile({ client, file, signal, onProgress }: Upload): Promise<string> {
  const contentType = file.type === '' ? undefined : file.type;
  return upload({
    client,
    source: { name: file.name, sizeBytes: file.size, contentType },
    signal,
    sleep: abortableDelay,
    putRange: ({ url, start, end, ...rest }) => putFile({ url, body: file.slice(start, end), ...rest }),
    onProgress: (bytes) => onProgress(Math.min(1, bytes / Math.max(1, file.size))),
  });
}
