import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { JobError } from '../../core/errors.ts';

export type UploadDownload = {
  key: string;
  /** The file to write; removed if the download fails. */
  path: string;
  maxBytes: number;
  signal: AbortSignal;
  onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

/**
 * Brings an uploaded file to this machine. Throws JobError INPUT_UNREACHABLE where there is none, INPUT_TOO_LARGE
 * before a byte of a file over the limit is read; when `signal` aborts, its reason.
 */
export async function downloadUpload(
  { client, bucket }: { client: S3Client; bucket: string },
  { key, path, maxBytes, signal, onProgress }: UploadDownload,
): Promise<{ bytes: number }> {
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key });
    const { Body, ContentLength: totalBytes = 0 } = await client.send(command, { abortSignal: signal });
    if (!(Body instanceof Readable)) throw new Error('S3 answered without a body');
    if (totalBytes > maxBytes) {
      Body.destroy();
      const message = `The input has ${totalBytes} bytes; the limit is ${maxBytes} bytes`;
      throw new JobError('INPUT_TOO_LARGE', message, { retryable: false });
    }
    let bytes = 0;
    Body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      onProgress({ bytes, totalBytes });
    });
    await pipeline(Body, createWriteStream(path, { mode: 0o600 }), { signal });
    return { bytes };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw isMissing(error) ? missing(error) : error;
  }
}

/** Without the right to list the bucket, S3 calls what is missing forbidden. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'AccessDenied'].includes(error.name)
  );
}

function missing(cause: unknown): JobError {
  const message = 'There is no such upload: it was never finished, or its 7 days are over';
  return new JobError('INPUT_UNREACHABLE', message, { retryable: false, cause });
}
