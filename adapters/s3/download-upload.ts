import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
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

type Place = { client: S3Client; bucket: string };

/** How often a download goes on where its connection failed: the SDK repeats requests, but no answers. */
const maxResumes = 5;

/**
 * Brings an uploaded file to this machine. Throws JobError INPUT_UNREACHABLE where there is none, INPUT_TOO_LARGE
 * before a byte of a file over the limit is read; when `signal` aborts, its reason.
 */
export async function downloadUpload(place: Place, request: UploadDownload): Promise<{ bytes: number }> {
  const { path, signal } = request;
  try {
    let version: string | undefined;
    for (let resumes = 0; ; resumes += 1) {
      const from = version === undefined ? 0 : (await stat(path)).size;
      const { body, etag, totalBytes } = await open(place, request, { from, version });
      version = etag;
      try {
        await receive(body, request, { from, totalBytes });
        return { bytes: totalBytes };
      } catch (error) {
        if (resumes === maxResumes || !isOfConnection(error)) throw error;
      }
    }
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw isMissing(error) ? missing(error) : error;
  }
}

/** The file's bytes from one on, of the version that was begun with. */
async function open(
  { client, bucket }: Place,
  { key, maxBytes, signal }: UploadDownload,
  { from, version }: { from: number; version: string | undefined },
): Promise<{ body: Readable; etag: string | undefined; totalBytes: number }> {
  const rest = version === undefined ? {} : { Range: `bytes=${from}-`, IfMatch: version };
  const command = new GetObjectCommand({ Bucket: bucket, Key: key, ...rest });
  const { Body, ContentLength = 0, ETag: etag } = await client.send(command, { abortSignal: signal });
  if (!(Body instanceof Readable)) throw new Error('S3 answered without a body');
  const totalBytes = from + ContentLength;
  if (totalBytes <= maxBytes) return { body: Body, etag, totalBytes };
  Body.destroy();
  const message = `The input has ${totalBytes} bytes; the limit is ${maxBytes} bytes`;
  throw new JobError('INPUT_TOO_LARGE', message, { retryable: false });
}

async function receive(
  body: Readable,
  { path, signal, onProgress }: UploadDownload,
  { from, totalBytes }: { from: number; totalBytes: number },
): Promise<void> {
  let bytes = from;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    onProgress({ bytes, totalBytes });
  });
  const file = createWriteStream(path, { flags: from === 0 ? 'w' : 'a', mode: 0o600 });
  await pipeline(body, file, { signal });
}

function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The SDK's client destroys what stands still with an error of this name.
  if (error.name === 'TimeoutError') return true;
  return 'code' in error && ['ECONNRESET', 'ETIMEDOUT', 'EPIPE'].includes(String(error.code));
}

/** Not what is forbidden, which is a fault of ours: to whoever may list the bucket, S3 tells the two apart. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey';
}

function missing(cause: unknown): JobError {
  const message = 'There is no such upload: it was never finished, or its 7 days are over';
  return new JobError('INPUT_UNREACHABLE', message, { retryable: false, cause });
}
