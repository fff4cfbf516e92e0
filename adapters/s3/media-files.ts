import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { JobError } from '@media-jobs/video/errors';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { choosePartSize } from '../../core/uploads/upload.ts';
import { assembleObject } from './assemble-object.ts';
import { downloadUpload } from './download-upload.ts';
import type { BucketAccess } from './read-object.ts';

export function mediaFiles(client: S3Client, bucket: string): MediaFiles {
  return {
    upload: async ({ path, key, mimeType, signal, onProgress }) => {
      const { size: sizeBytes } = await stat(path);
      const stored = { key, sizeBytes, mimeType, signal, onProgress };
      await againIfUploadIsGone(() => uploadStream({ client, bucket }, { ...stored, body: createReadStream(path) }));
    },
    assemble: (file) => againIfUploadIsGone(() => assembleObject({ client, bucket }, file)),
    download: async ({ key, path, signal }) => {
      const request = { key, path, signal, maxBytes: Number.POSITIVE_INFINITY, onProgress: () => undefined };
      try {
        return await downloadUpload({ client, bucket }, request);
      } catch (cause) {
        if (cause instanceof JobError && cause.code === 'INPUT_UNREACHABLE') return undefined;
        throw cause;
      }
    },
    removeAll: async (prefix, { except = [], mayContinue = () => true } = {}) => {
      let isFirst = true;
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        if (!isFirst && !mayContinue()) return 'incomplete';
        isFirst = false;
        const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
        const removed = keys.filter((key) => !except.some((kept) => key.startsWith(kept)));
        if (removed.length === 0) continue;
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({
            Bucket: bucket,
            Delete: { Objects: removed.map((Key) => ({ Key })), Quiet: true },
          }),
        );
        const [first] = Errors;
        if (first !== undefined) throw new Error(`S3 did not delete ${first.Key}: ${first.Code} ${first.Message}`);
      }
      return 'complete';
    },
  };
}

/**
 * Repeats an upload once that ended as `NoSuchUpload`: S3 had completed it, but the answer was lost, and the client asked again.
 */
async function againIfUploadIsGone<T>(upload: () => Promise<T>): Promise<T> {
  try {
    return await upload();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NoSuchUpload') throw error;
    return upload();
  }
}

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
