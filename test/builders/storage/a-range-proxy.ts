import { randomUUID } from 'node:crypto';
import { afterUse } from '@media-jobs/testing/after-use';
import type { MediaLocation } from '@media-jobs/video/chunking';
import { type RunningRangeProxy, startRangeProxy } from '../../../adapters/http/range-proxy.ts';
import { type BucketAccess, type ObjectRef, s3RangeSource } from '../../../adapters/s3/read-object.ts';
import type { OpenRangeProxy } from '../../../core/jobs/chunked-ports.ts';
import { aMediaBucket } from './a-media-bucket.ts';

/** A running range proxy to objects of a bucket; closes after the test. */
export async function aRangeProxy(
  access: BucketAccess,
  objects: Readonly<Record<string, ObjectRef>>,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<RunningRangeProxy> {
  const proxy = await openProxy(access, objects, signal);
  afterUse(() => proxy.close());
  return proxy;
}

/** Opens range proxies to objects of one bucket for workers, which close them. */
export function rangeProxiesTo(access: BucketAccess): OpenRangeProxy {
  return (locations, { signal }) => openProxy(access, storedObjects(locations), signal);
}

function storedObjects(locations: Readonly<Record<string, MediaLocation>>): Record<string, ObjectRef> {
  return Object.fromEntries(
    Object.entries(locations).map(([name, location]) => {
      if (!('key' in location)) throw new TypeError('The test stores no input by URL');
      return [name, location];
    }),
  );
}

async function openProxy(
  access: BucketAccess,
  objects: Readonly<Record<string, ObjectRef>>,
  signal: AbortSignal,
): Promise<RunningRangeProxy> {
  const opened = Object.entries(objects).map(
    async ([name, object]) => [name, await s3RangeSource(access, object, { signal })] as const,
  );
  const sources = Object.fromEntries(await Promise.all(opened));
  return startRangeProxy({ sources, token: randomUUID(), signal });
}

/** A running range proxy to local files, stored under their names. */
export async function aRangeProxyToFiles(files: Readonly<Record<string, string>>): Promise<RunningRangeProxy> {
  const bucket = await aMediaBucket();
  for (const [name, path] of Object.entries(files)) await bucket.putFile(name, path);
  return aRangeProxy(bucket, Object.fromEntries(Object.keys(files).map((name) => [name, { key: name }])));
}
