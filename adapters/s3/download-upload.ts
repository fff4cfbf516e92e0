import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { JobError } from '@media-jobs/video/errors';
import { toDiskFullError } from '@media-jobs/video/media';
import { tooLargeError } from '../http/http-failure.ts';
import { type BucketAccess, openObject, readObject, toReadError } from './read-object.ts';

const missingObjectMessage = 'There is no such object in the bucket of the storage provider';
const missingUploadMessage = 'There is no such upload: it was never completed, or its 7 days are over';

export type UploadDownloadRequest = {
  key: string;
  /** The file to write. Removed if the download fails. */
  path: string;
  maxBytes: number;
  /** From this size on, an object with a strong ETag is left where it is and nothing is downloaded. */
  leaveFromBytes?: number | undefined;
  signal: AbortSignal;
  onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

export type DownloadedObject = { bytes: number; leftEtag?: string };

/**
 * Downloads an uploaded file. Its size is checked before it is read. After an abort, throws the reason of `signal`.
 * @throws JobError `INPUT_UNREACHABLE` if the upload is missing, `INPUT_TOO_LARGE` over the limit or on a full disk
 */
export function downloadUpload(access: BucketAccess, request: UploadDownloadRequest): Promise<DownloadedObject> {
  return download(access, request, missingUploadMessage);
}

export async function downloadObject(access: BucketAccess, request: UploadDownloadRequest): Promise<DownloadedObject> {
  try {
    return await download(access, request, missingObjectMessage);
  } catch (cause) {
    if (!(cause instanceof Error && cause.name === 'AccessDenied') || !(await isAbsent(access, request))) throw cause;
    throw new JobError('INPUT_UNREACHABLE', missingObjectMessage, { retryable: false, cause });
  }
}

/** Whether a listing shows that there is no such object. S3 denies one to a reader who may list one prefix only. */
async function isAbsent({ client, bucket }: BucketAccess, { key, signal }: UploadDownloadRequest): Promise<boolean> {
  const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: key, MaxKeys: 1 });
  const listed = await client.send(command, { abortSignal: signal }).catch(() => undefined);
  return listed !== undefined && !listed.Contents?.some(({ Key }) => Key === key);
}

async function download(
  access: BucketAccess,
  request: UploadDownloadRequest,
  missingMessage: string,
): Promise<DownloadedObject> {
  const { key, path, maxBytes, leaveFromBytes = Number.POSITIVE_INFINITY, signal } = request;
  try {
    const opened = await openObject(access, { key }, signal);
    const { bytes, etag, body } = opened;
    if (bytes > maxBytes) {
      body.destroy();
      throw tooLargeError(maxBytes, bytes);
    }
    // Ranges need a strong ETag (RFC 9110, 13.1.1).
    if (bytes >= leaveFromBytes && etag.startsWith('"')) {
      body.destroy();
      return { bytes, leftEtag: etag };
    }
    const chunks = readObject(access, { key, start: 0, end: bytes, etag }, { signal, opened });
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(withProgress(chunks, bytes, request), file, { signal }).finally(() => body.destroy());
    return { bytes };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw toReadError(toDiskFullError(error), missingMessage);
  }
}

async function* withProgress(
  chunks: AsyncIterable<Buffer>,
  totalBytes: number,
  { onProgress }: UploadDownloadRequest,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > totalBytes) throw new JobError('INPUT_UNREACHABLE', 'The storage sent more bytes than it announced');
    onProgress({ bytes, totalBytes });
    yield chunk;
  }
}
