import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import { type Put, putFile } from './put-file.ts';

const partsAtOnce = 3;
const mostTries = 3;

export type Upload = {
  client: Client;
  file: File;
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
};

/**
 * Sends a file straight to the media bucket, large ones in parts, and gives the URL that names it as an input.
 * @throws ApiError; the signal's reason where it aborts
 */
export async function uploadFile({ client, file, signal, onProgress }: Upload): Promise<string> {
  const body = {
    sizeBytes: file.size,
    filename: file.name,
    ...(file.type === '' ? {} : { contentType: file.type }),
  };
  const upload = await client.createUpload({ body, signal });
  const total = progressOf(file.size, onProgress);
  if ('uploadUrl' in upload) {
    await insisting({ url: upload.uploadUrl, body: file, signal, onProgress: total(0) });
    return upload.inputUrl;
  }
  const { uploadId, partUrls, partSizeBytes, inputUrl } = upload;
  const waiting = [...partUrls.entries()];
  const parts: { partNumber: number; etag: string }[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, url] = next;
      const part = file.slice(index * partSizeBytes, (index + 1) * partSizeBytes);
      const etag = await insisting({ url, body: part, signal, onProgress: total(index) });
      parts.push({ partNumber: index + 1, etag });
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, work));
  parts.sort((one, other) => one.partNumber - other.partNumber);
  await client.completeUpload({ params: { id: uploadId }, body: { parts }, signal });
  return inputUrl;
}

/** Sums what the parts have sent. */
function progressOf(sizeBytes: number, onProgress: (share: number) => void) {
  const sent = new Map<number, number>();
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes);
    const sum = [...sent.values()].reduce((all, one) => all + one, 0);
    onProgress(Math.min(1, sum / Math.max(1, sizeBytes)));
  };
}

/** Networks of people who upload films are not always good ones. */
async function insisting(put: Put): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await putFile(put);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || tries === mostTries) throw error;
    }
  }
}
