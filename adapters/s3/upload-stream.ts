import type { Readable } from 'node:stream';
import { Upload } from '@aws-sdk/lib-storage';
import { choosePartSize } from '../../core/storage/part-size.ts';
import type { BucketAccess } from './read-object.ts';

export type StreamUpload = {
  key: string;
  /** Destroyed at the end. An error of it is thrown as it is. */
  body: Readable;
  /** Of the body. If it is unknown, 156 GiB fit. */
  sizeBytes: number | undefined;
  mimeType: string;
  signal: AbortSignal;
  onProgress?: ((bytes: number) => void) | undefined;
};

/** Stores a stream as one object, in constant memory. After an abort, throws the reason of `signal`. */
export async function uploadStream(
  { client, bucket }: BucketAccess,
  { key, body, sizeBytes = 0, mimeType, signal, onProgress }: StreamUpload,
): Promise<void> {
  const upload = new Upload({
    client,
    params: { Bucket: bucket, Key: key, Body: body, ContentType: mimeType },
    partSize: choosePartSize(sizeBytes),
  });
  upload.on('httpUploadProgress', ({ loaded = 0 }) => onProgress?.(loaded));
  const abort = () => void upload.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await upload.done();
  } catch (cause) {
    signal.throwIfAborted();
    const { errored } = body;
    // A failed upload stops reading, for which Node destroys the body with an AbortError.
    if (errored !== null && errored.name !== 'AbortError') throw errored;
    throw cause;
  } finally {
    signal.removeEventListener('abort', abort);
    body.destroy();
  }
}
