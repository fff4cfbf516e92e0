import { S3Client } from '@aws-sdk/client-s3';
import { transferSettings } from './client-settings.ts';

/**
 * The client of S3, one for each function. Emulators have one host for all buckets, so that with an endpoint of
 * their own the bucket is part of the path.
 */
export function s3Client(endpoint: string | undefined): S3Client {
  return new S3Client({ ...transferSettings, forcePathStyle: endpoint !== undefined });
}
