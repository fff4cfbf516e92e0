import type { Upload } from './upload.ts';
import { uploadInParts } from './upload-parts.ts';
import { mayHaveExpired, repeatPost, retryUpload } from './upload-retry.ts';

/** Larger files are sent in parts, so that a broken connection costs one part. */
const maxWholeBytes = 10 * 1024 ** 2;

/**
 * Uploads a file to the media bucket, a large one in parts. Returns its `inputUrl`.
 * @throws ApiError, or the signal's reason if it aborts
 */
export async function uploadFile(upload: Upload): Promise<string> {
  const unfinished = await upload.memory?.load();
  if (unfinished !== undefined) {
    const inputUrl = await uploadInParts(upload, unfinished);
    if (inputUrl !== undefined) return inputUrl;
  }
  const created = await createUpload(upload);
  if (!('partUrls' in created)) return uploadWhole(upload, created);
  await upload.memory?.save({ inputUrl: created.inputUrl, uploadId: created.uploadId });
  return (await uploadInParts(upload, { ...created, parts: [] })) ?? created.inputUrl;
}

function createUpload(upload: Upload) {
  const { client, source, signal, newId } = upload;
  const { name: filename, sizeBytes, contentType } = source;
  const multipart = sizeBytes > maxWholeBytes ? true : undefined;
  const headers = { 'idempotency-key': newId?.() };
  return repeatPost(upload, () =>
    client.createUpload({ body: { sizeBytes, filename, contentType, multipart }, headers, signal }),
  );
}

/**
 * Sends a file with one PUT. Returns its `inputUrl`. A retry reuses the URL until it may have expired during the transfer,
 * because every new upload counts towards the daily limit.
 */
async function uploadWhole(upload: Upload, created: { inputUrl: string; uploadUrl: string }): Promise<string> {
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
