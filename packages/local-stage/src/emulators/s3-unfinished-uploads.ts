import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type S3rver from 's3rver';
import { noSuchUpload, objectOf, uploadDirectory } from './s3-request.ts';

export type UnfinishedUpload = { key: string; uploadId: string };

/** The uploads of a bucket that were begun and neither completed nor ended. */
export async function unfinishedUploads({ store }: S3rver, bucket: string): Promise<UnfinishedUpload[]> {
  const directory = uploadDirectory(store, bucket);
  const ids = await readdir(directory).catch(() => []);
  const uploads = ids.map(async (uploadId) => {
    // An upload that ends meanwhile has no key.
    const key = await readFile(join(directory, uploadId, 'key'), 'utf8').catch(() => undefined);
    return key === undefined ? [] : [{ key, uploadId }];
  });
  return (await Promise.all(uploads)).flat();
}

/** Adds to s3rver AbortMultipartUpload and ListMultipartUploads. */
export function handleUnfinishedUploads(s3: S3rver): void {
  s3.middleware.unshift(async (context, next) => {
    const { method, query } = context;
    const { bucket, key } = objectOf(context);
    const { uploadId } = query;
    if (method === 'GET' && query.uploads !== undefined && key === '') {
      const uploads = await unfinishedUploads(s3, bucket);
      context.type = 'application/xml';
      context.body = uploadsXml(uploads.filter((upload) => upload.key.startsWith(query.prefix ?? '')));
      return;
    }
    if (method !== 'DELETE' || uploadId === undefined) return next();
    const uploads = await unfinishedUploads(s3, bucket);
    if (!uploads.some((upload) => upload.uploadId === uploadId && upload.key === key)) throw noSuchUpload();
    await rm(uploadDirectory(s3.store, bucket, uploadId), { recursive: true, force: true });
    context.status = 204;
  });
}

function uploadsXml(uploads: readonly UnfinishedUpload[]): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const elements = uploads.map(
    ({ key, uploadId }) => `<Upload><Key>${escaped(key)}</Key><UploadId>${uploadId}</UploadId></Upload>`,
  );
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${elements.join('')}</ListMultipartUploadsResult>`;
}
