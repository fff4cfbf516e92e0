import { S3Client } from '@aws-sdk/client-s3';
import { ofJob, transferSettings } from './client-settings.ts';

/** The S3 client of a function; that of a worker acts for its job. An emulator's endpoint is one host for all buckets, so the bucket is part of the path. */
export function s3Client(endpoint: string | undefined): S3Client {
  return new S3Client({ ...transferSettings, ...ofJob, forcePathStyle: endpoint !== undefined });
}
