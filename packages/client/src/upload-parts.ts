import { ApiError } from './api-error.ts';
import type { OperationResult } from './operation.ts';
import type { UnfinishedUpload, Upload } from './upload.ts';
import { mayHaveExpired, repeatPost, retryUpload, uploadRetryDelayMs } from './upload-retry.ts';

type ArrivedParts = OperationResult<'listUploadParts'>;

/** A part of the file to send; without a URL until it is signed. */
type Part = { partNumber: number; url: string | undefined };
type SentPart = { partNumber: number; etag: string };

/** An upload that was just created has the URLs of its parts, and no part has arrived. */
type PartsUpload = UnfinishedUpload & Partial<ArrivedParts> & { partUrls?: readonly string[] };

const maxConcurrentParts = 3;

/**
 * Sends the parts that have not arrived, and completes the upload. Returns its `inputUrl`; undefined if a remembered upload
 * is gone.
 */
export async function uploadInParts(upload: Upload, begun: PartsUpload): Promise<string | undefined> {
  const { partSizeBytes, parts } = begun;
  const arrived =
    partSizeBytes !== undefined && parts !== undefined
      ? { partSizeBytes, parts }
      : await findArrivedParts(upload, begun.uploadId);
  if (arrived === undefined) {
    await upload.memory?.clear();
    return undefined;
  }
  const sent = await sendParts(upload, { ...begun, ...arrived });
  await completeUpload(upload, begun.uploadId, sent);
  await upload.memory?.clear();
  return begun.inputUrl;
}

/** The parts that the storage has; undefined if the upload is complete, aborted or expired. */
async function findArrivedParts(upload: Upload, id: string): Promise<ArrivedParts | undefined> {
  const { client, signal } = upload;
  try {
    return await retryUpload(upload, () => client.listUploadParts({ params: { id }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

type SendableUpload = UnfinishedUpload & ArrivedParts & { partUrls?: readonly string[] };

/** Sends the missing parts in order, a few concurrently. The first one that fails permanently aborts the others. */
async function sendParts(upload: Upload, begun: SendableUpload): Promise<SentPart[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([upload.signal, failed.signal]);
  const { parts, partUrls = [], partSizeBytes } = begun;
  const sent: SentPart[] = parts.map(({ partNumber, etag }) => ({ partNumber, etag }));
  const count = Math.ceil(upload.source.sizeBytes / partSizeBytes);
  const waiting = Array.from({ length: count }, (_, index) => ({ partNumber: index + 1, url: partUrls[index] })).filter(
    ({ partNumber }) => !parts.some((part) => part.partNumber === partNumber),
  );
  const send = partSender({ ...upload, signal }, begun, waiting);
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

/** Returns a function that sends one part, with retries, and returns its ETag. */
function partSender(upload: Upload, begun: SendableUpload, waiting: readonly Part[]) {
  const { client, source, putRange, signal, sleep } = upload;
  const { uploadId, partSizeBytes, parts } = begun;
  const progressOf = sumProgress(parts, upload.onProgress);

  /** Part URLs live for an hour at most, and a large file on a slow connection takes longer. */
  const sign = async (part: Part) => {
    const stale = [part, ...waiting];
    const body = { partNumbers: stale.map(({ partNumber }) => partNumber) };
    const { partUrls } = await repeatPost(upload, () =>
      client.signUploadParts({ params: { id: uploadId }, body, signal }),
    );
    for (const [index, one] of stale.entries()) one.url = partUrls[index] ?? one.url;
  };

  /** The ETag of a part whose PUT got no answer, if the storage has it nevertheless. */
  const findArrived = async (partNumber: number, sizeBytes: number) => {
    const list = await findArrivedParts(upload, uploadId);
    return list?.parts.find((part) => part.partNumber === partNumber && part.sizeBytes === sizeBytes)?.etag;
  };

  return async (part: Part): Promise<string> => {
    const start = (part.partNumber - 1) * partSizeBytes;
    const end = Math.min(start + partSizeBytes, source.sizeBytes);
    const onProgress = progressOf(part.partNumber);
    let isRenewed = false;
    for (let attempts = 1; ; attempts += 1) {
      if (part.url === undefined) await sign(part);
      try {
        return await putRange({ url: part.url ?? '', start, end, signal, onProgress });
      } catch (error) {
        if (mayHaveExpired(error) && !isRenewed) {
          isRenewed = true;
          part.url = undefined;
          continue;
        }
        const delayMs = uploadRetryDelayMs(error, attempts);
        if (delayMs === undefined) throw error;
        await sleep(delayMs, signal);
        const etag =
          error instanceof ApiError && error.status === 0 ? await findArrived(part.partNumber, end - start) : undefined;
        if (etag !== undefined) return etag;
      }
    }
  };
}

/** Completes the upload. A response may be lost, or come too late: S3 takes up to minutes for thousands of parts. */
async function completeUpload(upload: Upload, id: string, parts: SentPart[]): Promise<void> {
  const { client, signal, newId } = upload;
  await repeatPost(upload, (attempts) =>
    client.completeUpload({ params: { id }, body: { parts }, signal }).catch(async (error: unknown) => {
      const isRetryable = error instanceof ApiError && error.retryable;
      const wasCompletedBefore = attempts > 1 && error instanceof ApiError && error.code === 'NOT_FOUND';
      if (wasCompletedBefore) return;
      // No POST is repeated: an upload that is gone was completed.
      if (newId === undefined && isRetryable && (await findArrivedParts(upload, id)) === undefined) return;
      throw error;
    }),
  );
}

/** Adds up the progress of all parts. */
function sumProgress(arrived: ArrivedParts['parts'], onProgress: (bytes: number) => void) {
  const sent = new Map(arrived.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]));
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes);
    onProgress([...sent.values()].reduce((all, one) => all + one, 0));
  };
}
