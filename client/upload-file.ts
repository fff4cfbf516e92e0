import type { Client } from './client.ts';
import { mayHaveExpired, type Sleep, shouldRetryUpload, uploadRetryDelayMs } from './upload-retry.ts';

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
  const body = { sizeBytes, filename: name, contentType };
  const place = await client.createUpload({ body, signal });
  if ('partUrls' in place) return place;
  await putRange({ url: place.uploadUrl, start: 0, end: sizeBytes, signal, onProgress });
  return place.inputUrl;
}

/** An upload in parts, as the API has begun it. */
type PartsPlace = { uploadId: string; partUrls: readonly string[]; partSizeBytes: number };
type SentPart = { partNumber: number; etag: string };

type Part = { partNumber: number; url: string };

const partsAtOnce = 3;

/** Sends a few parts at a time, in order; the first that fails for good ends the others. Throws as `uploadFile` does. */
export async function uploadParts(upload: Upload, place: PartsPlace): Promise<SentPart[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([upload.signal, failed.signal]);
  const waiting = place.partUrls.map((url, index) => ({ partNumber: index + 1, url }));
  const send = sender({ ...upload, signal }, place, waiting);
  const sent: SentPart[] = [];
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      sent.push({ partNumber: part.partNumber, etag: await send(part) });
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

/** Sends one part until its ETag is known. */
function sender(upload: Upload, { uploadId, partSizeBytes }: PartsPlace, waiting: readonly Part[]) {
  const { client, source, putRange, signal, sleep } = upload;
  const progressOf = shares(upload.onProgress);

  /** A URL lives for an hour at most, and a large file on a slow line takes longer. */
  const renew = async (part: Part) => {
    const stale = [part, ...waiting];
    const body = { partNumbers: stale.map(({ partNumber }) => partNumber) };
    const { partUrls } = await client.signUploadParts({ params: { id: uploadId }, body, signal });
    for (const [index, one] of stale.entries()) one.url = partUrls[index] ?? one.url;
  };

  return async (part: Part): Promise<string> => {
    const start = (part.partNumber - 1) * partSizeBytes;
    const end = Math.min(start + partSizeBytes, source.sizeBytes);
    const onProgress = progressOf(part.partNumber);
    for (let tries = 1; ; tries += 1) {
      try {
        if (tries > 1) await renew(part);
        return await putRange({ url: part.url, start, end, signal, onProgress });
      } catch (error) {
        if (tries === 1 && mayHaveExpired(error)) continue;
        if (!shouldRetryUpload(error, tries)) throw error;
        await sleep(uploadRetryDelayMs(tries), signal);
      }
    }
  };
}

/** Sums what the parts have sent. */
function shares(onProgress: (bytes: number) => void) {
  const sent = new Map<number, number>();
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes);
    onProgress([...sent.values()].reduce((all, one) => all + one, 0));
  };
}
