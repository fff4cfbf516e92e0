import type { Client } from './client.ts';
import { uploadParts } from './upload-parts.ts';
import { type Sleep, shouldRetryUpload, uploadRetryDelayMs } from './upload-retry.ts';

/** A file to send: where its bytes are is the business of `putRange`. */
export type UploadSource = { name: string; sizeBytes: number; contentType?: string | undefined };

/** A range of the file, `start` inclusive and `end` exclusive, that goes to a signed URL. */
export type RangePut = {
  url: string;
  start: number;
  end: number;
  signal: AbortSignal;
  /** Called with how many bytes of the range have gone up so far. */
  onProgress: (bytes: number) => void;
};

export type Upload = {
  client: Client;
  source: UploadSource;
  /** Sends one range and gives the ETag of what was stored; throws ApiError, retryable where trying again may help. */
  putRange: (put: RangePut) => Promise<string>;
  signal: AbortSignal;
  sleep: Sleep;
  /** Called with how many bytes of the file have gone up so far; fewer than before where a part is sent again. */
  onProgress: (bytes: number) => void;
};

/**
 * Sends a file straight to the media bucket, large ones in parts, and gives the URL that names it as an input.
 * @throws ApiError; the signal's reason where it aborts
 */
export async function uploadFile(upload: Upload): Promise<string> {
  const { client, signal, sleep } = upload;
  for (let tries = 1; ; tries += 1) {
    const begun = await begin(upload).catch((error: unknown) => {
      if (!shouldRetryUpload(error, tries)) throw error;
      return undefined;
    });
    if (typeof begun === 'string') return begun;
    if (begun !== undefined) {
      const parts = await uploadParts(upload, begun);
      await client.completeUpload({ params: { id: begun.uploadId }, body: { parts }, signal });
      return begun.inputUrl;
    }
    await sleep(uploadRetryDelayMs(tries), signal);
  }
}

/**
 * Begins an upload and, where the file goes up in one piece, sends it: gives the URL that names it, else where its parts
 * go. Each try has a URL of its own, since the one before may have ended while the file went up.
 */
async function begin({ client, source, putRange, signal, onProgress }: Upload) {
  const { name, sizeBytes, contentType } = source;
  const body = { sizeBytes, filename: name, ...(contentType === undefined ? {} : { contentType }) };
  const place = await client.createUpload({ body, signal });
  if ('partUrls' in place) return place;
  await putRange({ url: place.uploadUrl, start: 0, end: sizeBytes, signal, onProgress });
  return place.inputUrl;
}
