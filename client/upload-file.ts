import type { Client } from './client.ts';
import { isWorthRepeating } from './repeated-put.ts';
import { sendParts } from './send-parts.ts';

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
  /** Called with how many bytes of the file have gone up so far; fewer than before where a part is sent again. */
  onProgress: (bytes: number) => void;
};

/**
 * Sends a file straight to the media bucket, large ones in parts, and gives the URL that names it as an input.
 * @throws ApiError; the signal's reason where it aborts
 */
export async function uploadFile(upload: Upload): Promise<string> {
  const { client, source, putRange, signal, onProgress } = upload;
  const { name, sizeBytes, contentType } = source;
  const body = { sizeBytes, filename: name, ...(contentType === undefined ? {} : { contentType }) };
  // Each try has a URL of its own: the one before may have ended while the file went up.
  for (let tries = 1; ; tries += 1) {
    const place = await client.createUpload({ body, signal });
    if ('partUrls' in place) {
      const parts = await sendParts(upload, place);
      await client.completeUpload({ params: { id: place.uploadId }, body: { parts }, signal });
      return place.inputUrl;
    }
    try {
      await putRange({ url: place.uploadUrl, start: 0, end: sizeBytes, signal, onProgress });
      return place.inputUrl;
    } catch (error) {
      if (!isWorthRepeating(error, tries)) throw error;
    }
  }
}
