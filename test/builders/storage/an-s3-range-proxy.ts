import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { BucketAccess } from '../../../adapters/s3/read-object.ts';
import {
  type RunningS3RangeProxy,
  type S3RangeProxyRequest,
  startS3RangeProxy,
} from '../../../adapters/s3/s3-range-proxy.ts';
import { aMediaBucket } from './a-media-bucket.ts';

/** A running S3 range proxy to objects of a bucket; closes after the test. */
export async function anS3RangeProxy(
  place: BucketAccess,
  objects: S3RangeProxyRequest['objects'],
  { signal = new AbortController().signal }: Partial<S3RangeProxyRequest> = {},
): Promise<RunningS3RangeProxy> {
  const door = await startS3RangeProxy(place, { objects, token: randomUUID(), signal });
  onTestFinished(() => door.close());
  return door;
}

/** A running S3 range proxy to local files, stored under their names. */
export async function anS3RangeProxyToFiles(
  files: Readonly<Record<string, string>>,
): Promise<RunningS3RangeProxy> {
  const bucket = await aMediaBucket();
  for (const [name, path] of Object.entries(files)) await bucket.putFile(name, path);
  return anS3RangeProxy(bucket, Object.fromEntries(Object.keys(files).map((name) => [name, { key: name }])));
}
