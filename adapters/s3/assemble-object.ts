import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { AssembledFile } from '../../core/jobs/ports.ts';
import { type AssembledPart, type AssembledRange, type StoredRange, sizeOf } from '../../core/storage/assembly.ts';
import { type BucketAccess, readObject } from './read-object.ts';

/** A copy takes S3 seconds, and the function nothing. */
const concurrentCopies = 32;
/** Each uploaded part is in memory, about 10 MiB. */
const concurrentUploads = 8;

type Target = { Bucket: string; Key: string; UploadId: string };

/**
 * Assembles an object from ranges of others in the same bucket, which S3 copies, and from bytes that are uploaded. After
 * an error the upload is ended. After an abort, throws the reason of `signal`.
 */
export async function assembleObject(
  access: BucketAccess,
  { key, mimeType, parts, signal, onProgress }: AssembledFile,
): Promise<{ etag: string }> {
  const { client, bucket: Bucket } = access;
  signal.throwIfAborted();
  // As the SDK's own upload does: each part then has a checksum, also a copied one.
  const options = { ContentType: mimeType, ChecksumAlgorithm: 'CRC32' } as const;
  const begin = new CreateMultipartUploadCommand({ Bucket, Key: key, ...options });
  const { UploadId } = await client.send(begin, { abortSignal: signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw cause;
  });
  if (UploadId === undefined) throw new Error('S3 started a multipart upload without an id');
  const target = { Bucket, Key: key, UploadId };
  try {
    const Parts = await storeParts(access, { target, parts, signal, onProgress });
    const complete = new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts } });
    const { ETag: etag = '' } = await client.send(complete, { abortSignal: signal });
    return { etag };
  } catch (cause) {
    // If the abort fails, the bucket's lifecycle rule removes the parts.
    await client.send(new AbortMultipartUploadCommand(target)).catch(() => undefined);
    signal.throwIfAborted();
    throw cause;
  }
}

type Storing = Pick<AssembledFile, 'parts' | 'onProgress' | 'signal'> & { target: Target };

/** Copies and uploads concurrently. The first failure ends all. */
async function storeParts(
  access: BucketAccess,
  { target, parts, signal: outer, onProgress }: Storing,
): Promise<CompletedPart[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([outer, failed.signal]);
  const completed: CompletedPart[] = new Array(parts.length);
  let storedBytes = 0;
  const numbered = [...parts.entries()];
  const storeSome = async (queue: (typeof numbered)[number][]) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, part] = next;
      const stored = await storePart(access, { target, part, number: index + 1, signal });
      completed[index] = { ...stored, PartNumber: index + 1 };
      storedBytes += 'copied' in part ? sizeOf([part.copied]) : sizeOf(part.uploaded);
      onProgress?.(storedBytes);
    }
  };
  const [copies, uploads] = [true, false].map((isCopy) =>
    numbered.filter(([, part]) => 'copied' in part === isCopy),
  ) as [typeof numbered, typeof numbered];
  const workers = [
    ...Array.from({ length: concurrentCopies }, () => storeSome(copies)),
    ...Array.from({ length: concurrentUploads }, () => storeSome(uploads)),
  ].map((worker) =>
    worker.catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
  return completed;
}

/** Stores one part. Returns its CRC32 too: CompleteMultipartUpload requires it after ChecksumAlgorithm. */
async function storePart(
  access: BucketAccess,
  { target, part, number, signal }: { target: Target; part: AssembledPart; number: number; signal: AbortSignal },
): Promise<Pick<CompletedPart, 'ETag' | 'ChecksumCRC32'>> {
  const { client, bucket } = access;
  if ('uploaded' in part) {
    const Body = await readRanges(access, part.uploaded, signal);
    const command = new UploadPartCommand({ ...target, PartNumber: number, Body });
    const { ETag, ChecksumCRC32 } = await client.send(command, { abortSignal: signal });
    return { ETag, ChecksumCRC32 };
  }
  const { key, etag, start, end } = part.copied;
  const command = new UploadPartCopyCommand({
    ...target,
    PartNumber: number,
    CopySource: `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
    CopySourceIfMatch: etag,
    CopySourceRange: `bytes=${start}-${end - 1}`,
  });
  const { CopyPartResult: { ETag, ChecksumCRC32 } = {} } = await client.send(command, { abortSignal: signal });
  // S3 may answer 200 and then with an error, which the SDK throws; an empty answer is no copy.
  if (ETag === undefined) throw new Error(`S3 copied a part of ${key} without an ETag`);
  return { ETag, ChecksumCRC32 };
}

async function readRanges(
  access: BucketAccess,
  ranges: readonly AssembledRange[],
  signal: AbortSignal,
): Promise<Buffer> {
  const read = ranges.map((range) => ('bytes' in range ? range.bytes : readRange(access, range, signal)));
  return Buffer.concat(await Promise.all(read));
}

async function readRange(access: BucketAccess, range: StoredRange, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readObject(access, range, { signal })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
