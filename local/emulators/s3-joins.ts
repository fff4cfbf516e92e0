import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';

/**
 * Has uploads in parts joined as S3 joins them: under their own key alone, from parts that came. s3rver looks at
 * neither, and ends the process where a part is missing.
 */
export function refuseBadJoins(s3: S3rver): void {
  const { store } = s3;
  const fileOf = async (bucket: string, uploadId: string, name: string): Promise<string | undefined> => {
    if (!/^[0-9a-f]+$/.test(uploadId)) return undefined;
    const uploads = store.getResourcePath(bucket, undefined, 'uploads');
    return readFile(join(uploads, uploadId, name), 'utf8').catch(() => undefined);
  };

  s3.middleware.unshift(async ({ method, path, query: { uploadId } }, next) => {
    if (method === 'POST' && uploadId !== undefined) {
      const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
      if ((await fileOf(bucket, uploadId, 'key')) !== key.join('/')) throw noSuchUpload();
    }
    await next();
  });

  const joinParts = store.putObjectMultipart.bind(store);
  store.putObjectMultipart = async (bucket, uploadId, parts) => {
    const sent = await Promise.all(parts.map(({ number }) => fileOf(bucket, uploadId, `${number}.md5`)));
    if (parts.some(({ etag }, index) => etag !== sent[index])) throw invalidPart();
    if (parts.some(({ number }, index) => number <= (parts[index - 1]?.number ?? 0)))
      throw invalidPartOrder();
    return joinParts(bucket, uploadId, parts);
  };
}

const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. The upload ID may be invalid.');
const invalidPart = () =>
  new S3Error('InvalidPart', 'One or more of the specified parts could not be found.');
const invalidPartOrder = () =>
  new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
