import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { mayHaveExpired, type Sleep, uploadRetryDelayMs } from './upload-retry.ts';

/** The file to upload. `putRange` reads its bytes. */
export type UploadSource = { name: string; sizeBytes: number; contentType?: string | undefined };

/** A PUT of a range of the file (`start` inclusive, `end` exclusive) to a presigned URL. */
export type RangePut = {
  url: string;
  start: number;
  end: number;
  signal: AbortSignal;
  /** Called with the bytes of the range sent so far. */
  onProgress: (bytes: number) => void;
};

export type Upload = {
  client: Client;
  source: UploadSource;
  /** Sends one range and returns its ETag. Throws ApiError, retryable if a new attempt may succeed. */
  putRange: (put: RangePut) => Promise<string>;
  signal: AbortSignal;
  sleep: Sleep;
  /** Called with the bytes of the file sent so far; fewer than before if a part is sent again. */
  onProgress: (bytes: number) => void;
};

/**
 * Uploads a file to the media bucket, a large one in parts. Returns its `inputUrl`.
 * @throws ApiError, or the signal's reason if it aborts
 */
export async function uploadFile(upload: Upload): Promise<string> {
  const created = await retryUpload(upload, () => createUpload(upload));
  if (!('partUrls' in created)) return uploadWhole(upload, created);
  const parts = await uploadParts(upload, created);
  await completeUpload(upload, created.uploadId, parts);
  return created.inputUrl;
}

/** Repeats a call while it fails with an error that allows it; `attempts` counts from 1. */
async function retryUpload<T>({ signal, sleep }: Upload, call: (attempts: number) => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await call(attempts);
    } catch (error) {
      const delayMs = uploadRetryDelayMs(error, attempts);
      if (delayMs === undefined) throw error;
      await sleep(delayMs, signal);
    }
  }
}

function createUpload({ client, source: { name, sizeBytes, contentType }, signal }: Upload) {
  return client.createUpload({ body: { sizeBytes, filename: name, contentType }, signal });
}

type SinglePut = { inputUrl: string; uploadUrl: string };

/**
 * Sends a file with one PUT. Returns its `inputUrl`. A retry reuses the URL until it may have expired during the transfer,
 * because every new upload counts towards the daily limit.
 */
async function uploadWhole(upload: Upload, created: SinglePut): Promise<string> {
  const { source, putRange, signal, onProgress } = upload;
  let current = created;
  const put = () => putRange({ url: current.uploadUrl, start: 0, end: source.sizeBytes, signal, onProgress });
  await retryUpload(upload, (attempts) =>
    put().catch(async (error: unknown) => {
      if (attempts === 1 || !mayHaveExpired(error)) throw error;
      const renewed = await createUpload(upload);
      if ('partUrls' in renewed) throw error;
      current = renewed;
      return put();
    }),
  );
  return current.inputUrl;
}

type MultipartUpload = { uploadId: string; partUrls: readonly string[]; partSizeBytes: number };
type SentPart = { partNumber: number; etag: string };

type Part = { partNumber: number; url: string };

const maxConcurrentParts = 3;

/** Sends the parts in order, a few concurrently. The first one that fails permanently aborts the others. */
async function uploadParts(upload: Upload, multipart: MultipartUpload): Promise<SentPart[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([upload.signal, failed.signal]);
  const waiting = multipart.partUrls.map((url, index) => ({ partNumber: index + 1, url }));
  const send = partSender({ ...upload, signal }, multipart, waiting);
  const sent: SentPart[] = [];
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      sent.push({ partNumber: part.partNumber, etag: await send(part) });
    }
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentParts }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return sent.sort((one, other) => one.partNumber - other.partNumber);
}

/** Completes the upload. A response may be lost, or come too late: S3 takes up to minutes for thousands of parts. */
async function completeUpload(upload: Upload, id: string, parts: SentPart[]): Promise<void> {
  const { client, signal } = upload;
  await retryUpload(upload, (attempts) =>
    client.completeUpload({ params: { id }, body: { parts }, signal }).catch((error: unknown) => {
      const wasCompletedBefore = attempts > 1 && error instanceof ApiError && error.code === 'NOT_FOUND';
      if (!wasCompletedBefore) throw error;
    }),
  );
}

/** Returns a function that sends one part, with retries, and returns its ETag. */
function partSender(upload: Upload, { uploadId, partSizeBytes }: MultipartUpload, waiting: readonly Part[]) {
  const { client, source, putRange, signal, sleep } = upload;
  const progressOf = sumProgress(upload.onProgress);

  /** Part URLs live for an hour at most, and a large file on a slow connection takes longer. */
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
    for (let attempts = 1; ; attempts += 1) {
      try {
        if (attempts > 1) await renew(part);
        return await putRange({ url: part.url, start, end, signal, onProgress });
      } catch (error) {
        if (attempts === 1 && mayHaveExpired(error)) continue;
        const delayMs = uploadRetryDelayMs(error, attempts);
        if (delayMs === undefined) throw error;
        await sleep(delayMs, signal);
      }
    }
  };
}

/** Adds up the progress of all parts. */
function sumProgress(onProgress: (bytes: number) => void) {
  const sent = new Map<number, number>();
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes);
    onProgress([...sent.values()].reduce((all, one) => all + one, 0));
  };
}
