import { join } from 'node:path';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';

/** The bucket and the key of a path-style request. The key is empty for a request to the bucket. */
export function objectOf({ path }: { path: string }): { bucket: string; key: string } {
  const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
  return { bucket, key: key.join('/') };
}

/** The directory in which s3rver keeps the parts of an upload that is not completed. */
export function uploadDirectory(store: S3rver['store'], bucket: string, uploadId = ''): string {
  return join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId);
}

export const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. The upload ID may be invalid.');

export const preconditionFailed = () =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
