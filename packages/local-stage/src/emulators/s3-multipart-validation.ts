import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { checksumHeader } from './s3-checksums.ts';
import { noSuchUpload, objectOf, uploadDirectory } from './s3-request.ts';

/** Minimum size of every part but the last (Amazon S3 User Guide, "Multipart upload limits"). */
const minPartBytes = 5 * 1024 * 1024;

/**
 * Adds to s3rver the checks of S3 for multipart uploads: the key, and the presence, order, size and checksums of the parts.
 * s3rver itself checks nothing and exits if a part is missing. Adds ListParts too.
 */
export function validateMultipartUploads(s3: S3rver): void {
  const { store } = s3;
  const readUploadFile = async (bucket: string, uploadId: string, name: string): Promise<string | undefined> => {
    if (!/^[0-9a-f]+$/.test(uploadId)) return undefined;
    return readFile(join(uploadDirectory(store, bucket, uploadId), name), 'utf8').catch(() => undefined);
  };

  const readAlgorithm = async (bucket: string, uploadId: string): Promise<string | undefined> => {
    const metadata = JSON.parse((await readUploadFile(bucket, uploadId, 'metadata')) ?? '{}');
    return metadata['x-amz-checksum-algorithm']?.toLowerCase();
  };

  s3.middleware.unshift(async (context, next) => {
    const { method, query, headers } = context;
    const { uploadId } = query;
    if (uploadId === undefined || !['POST', 'GET', 'PUT'].includes(method)) return next();
    const { bucket, key } = objectOf(context);
    if ((await readUploadFile(bucket, uploadId, 'key')) !== key) throw noSuchUpload();
    if (method === 'PUT') {
      requireAlgorithm(headers, await readAlgorithm(bucket, uploadId));
      return next();
    }
    if (method === 'POST') {
      const body = await text(context.req);
      requireChecksums(body, await readAlgorithm(bucket, uploadId));
      context.req = Readable.from([Buffer.from(body)]);
      return next();
    }
    context.type = 'application/xml';
    context.body = await partsXml(uploadDirectory(store, bucket, uploadId), Number(query['max-parts'] ?? 1000));
  });

  const completeUpload = store.putObjectMultipart.bind(store);
  store.putObjectMultipart = async (bucket, uploadId, parts) => {
    const etags = await Promise.all(parts.map(({ number }) => readUploadFile(bucket, uploadId, `${number}.md5`)));
    if (parts.some(({ etag }, index) => etag !== etags[index])) throw invalidPart();
    if (parts.some(({ number }, index) => number <= (parts[index - 1]?.number ?? 0))) throw invalidPartOrder();
    const directory = uploadDirectory(store, bucket, uploadId);
    const allButLast = parts.slice(0, -1).map(({ number }) => stat(join(directory, String(number))));
    if ((await Promise.all(allButLast)).some(({ size }) => size < minPartBytes)) throw entityTooSmall();
    return completeUpload(bucket, uploadId, parts);
  };
}

/** The checksum of a part has the algorithm with which its upload was begun. */
function requireAlgorithm(headers: Readonly<Record<string, string | undefined>>, expected: string | undefined): void {
  const actual = checksumHeader(headers)?.replace('x-amz-checksum-', '');
  if (actual !== undefined && actual !== expected) throw checksumMismatch(expected, actual);
}

/** The body of CompleteMultipartUpload needs the checksum of each part, if the upload was begun with an algorithm. */
function requireChecksums(body: string, algorithm: string | undefined): void {
  if (algorithm === undefined) return;
  for (const [, part = ''] of body.matchAll(/<Part>([\s\S]*?)<\/Part>/g)) {
    if (part.includes(`<Checksum${algorithm.toUpperCase()}>`)) continue;
    throw missingChecksum(algorithm, /<PartNumber>(\d+)</.exec(part)?.[1] ?? '');
  }
}

/** The response of ListParts. s3rver writes a checksum file, `<number>.md5`, for each part. */
async function partsXml(directory: string, maxParts: number): Promise<string> {
  const filenames = await readdir(directory);
  const numbers = filenames.flatMap((name) => /^(\d+)\.md5$/.exec(name)?.[1] ?? []).map(Number);
  const parts = numbers.toSorted((left, right) => left - right).slice(0, maxParts);
  const elements = await Promise.all(
    parts.map(async (number) => {
      const { size } = await stat(join(directory, String(number)));
      const etag = await readFile(join(directory, `${number}.md5`), 'utf8');
      return `<Part><PartNumber>${number}</PartNumber><Size>${size}</Size><ETag>&quot;${etag}&quot;</ETag></Part>`;
    }),
  );
  const isTruncated = `<IsTruncated>${parts.length < numbers.length}</IsTruncated>`;
  return `<ListPartsResult>${isTruncated}${elements.join('')}</ListPartsResult>`;
}

const checksumMismatch = (expected: string | undefined, actual: string) =>
  new S3Error(
    'InvalidRequest',
    `Checksum Type mismatch occurred, expected checksum Type: ${expected ?? 'null'}, actual checksum Type: ${actual}`,
  );
const missingChecksum = (algorithm: string, part: string) =>
  new S3Error(
    'InvalidRequest',
    `The upload was created using a ${algorithm} checksum. The complete request must include the checksum for each part. It was missing for part ${part} in the request.`,
  );
const invalidPart = () => new S3Error('InvalidPart', 'One or more of the specified parts could not be found.');
const entityTooSmall = () =>
  new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
const invalidPartOrder = () => new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
