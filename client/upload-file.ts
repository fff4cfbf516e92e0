import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';

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

const partsAtOnce = 3;
const mostTries = 3;

/**
 * Sends a file straight to the media bucket, large ones in parts, and gives the URL that names it as an input.
 * @throws ApiError; the signal's reason where it aborts
 */
export async function uploadFile(upload: Upload): Promise<string> {
  const { client, source, signal } = upload;
  const { name, sizeBytes, contentType } = source;
  const body = { sizeBytes, filename: name, ...(contentType === undefined ? {} : { contentType }) };
  const place = await client.createUpload({ body, signal });
  if ('uploadUrl' in place) {
    const { onProgress } = upload;
    await insisting(upload, { url: place.uploadUrl, start: 0, end: sizeBytes, signal, onProgress });
    return place.inputUrl;
  }
  const parts = await sendParts(upload, place);
  await client.completeUpload({ params: { id: place.uploadId }, body: { parts }, signal });
  return place.inputUrl;
}

type Place = { partUrls: string[]; partSizeBytes: number };
type SentPart = { partNumber: number; etag: string };

/** A few parts at a time, in order; the first that fails for good ends the others. */
async function sendParts(upload: Upload, { partUrls, partSizeBytes }: Place): Promise<SentPart[]> {
  const { sizeBytes } = upload.source;
  const failed = new AbortController();
  const signal = AbortSignal.any([upload.signal, failed.signal]);
  const total = progressOf(upload.onProgress);
  const waiting = [...partUrls.entries()];
  const sent: SentPart[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, url] = next;
      const start = index * partSizeBytes;
      const end = Math.min(start + partSizeBytes, sizeBytes);
      const etag = await insisting(upload, { url, start, end, signal, onProgress: total(index) });
      sent.push({ partNumber: index + 1, etag });
    }
  };
  try {
    await Promise.all(Array.from({ length: partsAtOnce }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return sent.sort((one, other) => one.partNumber - other.partNumber);
}

/** Sums what the parts have sent. */
function progressOf(onProgress: (bytes: number) => void) {
  const sent = new Map<number, number>();
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes);
    onProgress([...sent.values()].reduce((all, one) => all + one, 0));
  };
}

/** Networks of people who upload films are not always good ones. */
async function insisting({ putRange }: Upload, put: RangePut): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await putRange(put);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || tries === mostTries) throw error;
    }
  }
}
