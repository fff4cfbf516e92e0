import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';

/** The least that a part has which is not the last (Amazon S3 User Guide, "Multipart upload limits"). */
const leastPartBytes = 5 * 1024 * 1024;

/**
 * Has uploads in parts joined as S3 joins them: under their own key alone, from parts that came and are not too small.
 * s3rver looks at none of it, and ends the process where a part is missing. Lists the parts that came, too, which s3rver
 * cannot.
 */
export function validateMultipartUploads(s3: S3rver): void {
  const { store } = s3;
  const directoryOf = (bucket: string, uploadId: string) =>
    join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId);
  const fileOf = async (bucket: string, uploadId: string, name: string): Promise<string | undefined> => {
    if (!/^[0-9a-f]+$/.test(uploadId)) return undefined;
    return readFile(join(directoryOf(bucket, uploadId), name), 'utf8').catch(() => undefined);
  };

  s3.middleware.unshift(async (context, next) => {
    const { method, path, query } = context;
    const { uploadId } = query;
    if (uploadId === undefined || (method !== 'POST' && method !== 'GET')) return next();
    const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
    if ((await fileOf(bucket, uploadId, 'key')) !== key.join('/')) throw noSuchUpload();
    if (method === 'POST') return next();
    const names = await readdir(directoryOf(bucket, uploadId));
    context.type = 'application/xml';
    context.body = partsXml(names, Number(query['max-parts'] ?? 1000));
  });

  const joinParts = store.putObjectMultipart.bind(store);
  store.putObjectMultipart = async (bucket, uploadId, parts) => {
    const sent = await Promise.all(parts.map(({ number }) => fileOf(bucket, uploadId, `${number}.md5`)));
    if (parts.some(({ etag }, index) => etag !== sent[index])) throw invalidPart();
    if (parts.some(({ number }, index) => number <= (parts[index - 1]?.number ?? 0)))
      throw invalidPartOrder();
    const directory = directoryOf(bucket, uploadId);
    const allButTheLast = parts.slice(0, -1).map(({ number }) => stat(join(directory, String(number))));
    if ((await Promise.all(allButTheLast)).some(({ size }) => size < leastPartBytes)) throw entityTooSmall();
    return joinParts(bucket, uploadId, parts);
  };
}

/** The parts whose checksums lie among these files. */
function partsXml(names: readonly string[], most: number): string {
  const numbers = names.flatMap((name) => /^(\d+)\.md5$/.exec(name)?.[1] ?? []).map(Number);
  const parts = numbers.toSorted((one, other) => one - other).slice(0, most);
  const elements = parts.map((number) => `<Part><PartNumber>${number}</PartNumber></Part>`);
  const isTruncated = `<IsTruncated>${parts.length < numbers.length}</IsTruncated>`;
  return `<ListPartsResult>${isTruncated}${elements.join('')}</ListPartsResult>`;
}

const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. The upload ID may be invalid.');
const invalidPart = () =>
  new S3Error('InvalidPart', 'One or more of the specified parts could not be found.');
const entityTooSmall = () =>
  new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
const invalidPartOrder = () =>
  new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
