import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { type Batch, type BatchRef, batchPrefix, type LineFailure, manifestKey } from '../../core/batches/batch.ts';
import { AppError } from '../../core/errors.ts';
import type { FileStorage } from '../../core/jobs/ports.ts';
import { type Presign, signDownload } from './presign.ts';
import { type BucketAccess, openObject } from './read-object.ts';

/** Two tries fit into the function's 20 s. */
const timeoutMs = 8_000;

/** Reads and presigns objects of one bucket. Needs no S3 client. */
export function bucketFiles(presign: Presign): FileStorage {
  return {
    readText: async (key) => readSignedUrl((await presign({ method: 'GET', key, lifetimeSeconds: 60 })).url),
    sign: signDownload(presign),
  };
}

/**
 * Reads an object as text by its presigned URL.
 * @throws AppError `NOT_FOUND`, `PAYLOAD_TOO_LARGE` or `UNAVAILABLE`, without S3's own message
 */
async function readSignedUrl(url: string): Promise<string> {
  try {
    return await readOnce(url);
  } catch (cause) {
    // S3 answers 503 while it scales, and a connection may break: the SDK, which retries, is not used here.
    if (!(cause instanceof AppError && cause.code === 'UNAVAILABLE')) throw cause;
    return await readOnce(url);
  }
}

async function readOnce(url: string): Promise<string> {
  const response = await fetchObject(url);
  if (!response.ok) {
    await response.body?.cancel();
    throw errorForStatus(response.status);
  }
  try {
    return await readPlaylist(response.body ?? []);
  } catch (cause) {
    throw cause instanceof AppError ? cause : storageUnavailable(cause);
  }
}

async function fetchObject(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw storageUnavailable(cause);
  }
}

function errorForStatus(status: number): AppError {
  // Without `s3:ListBucket` S3 answers 403 for a missing key.
  if (status === 404 || status === 403) return new AppError('NOT_FOUND', 'The file was deleted.');
  return storageUnavailable(new Error(`S3 answered ${status}`));
}

function storageUnavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The storage does not answer; try again shortly.', { cause });
}

/** The manifests of batches and their reports, in the media bucket. Its lifecycle removes them after 30 days. */
export function batchFiles({ client, bucket }: BucketAccess, newId: () => string) {
  const read = async (key: string): Promise<Buffer> => {
    const { body } = await openObject({ client, bucket }, { key }, new AbortController().signal);
    return buffer(body);
  };
  return {
    /** Stores a manifest that was downloaded; returns the number of its lines that are not blank. */
    async storeManifest(batch: BatchRef, path: string): Promise<number> {
      const file = await open(path);
      let lines = 0;
      for await (const line of file.readLines()) lines += line.trim() === '' ? 0 : 1;
      const Body = createReadStream(path);
      const { size: ContentLength } = await stat(path);
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: manifestKey(batch), Body, ContentLength }));
      return lines;
    },
    async readManifest(batch: BatchRef, { start, end }: { start: number; end: number }): Promise<Buffer> {
      const Range = `bytes=${start}-${end - 1}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: manifestKey(batch), Range }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    /** S3 cannot append to an object: the report of a batch gets a new one, whose key the next write of the batch has. */
    async appendReport(batch: Batch, failures: readonly LineFailure[]): Promise<string> {
      const { reportKey } = batch;
      const before = reportKey === undefined ? Buffer.alloc(0) : await read(reportKey);
      const lines = failures.map((failure) => `${JSON.stringify(failure)}\n`).join('');
      const Key = `${batchPrefix(batch)}report-${newId()}.jsonl`;
      const Body = Buffer.concat([before, Buffer.from(lines)]);
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'application/jsonl' }));
      return Key;
    },
  };
}

/** A DASH manifest lists every segment of every rendition: 5 MB for four hours of the shortest segments. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Reads the body of a playlist as text.
 * @throws AppError `PAYLOAD_TOO_LARGE` above 8 MiB, or the error of the body
 */
export async function readPlaylist(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw playlistTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function playlistTooLarge(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'This playlist is larger than 8 MiB; choose longer segments, or serve copies of the files.',
  );
}
