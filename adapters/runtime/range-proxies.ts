import type { MediaLocation } from '@media-jobs/video/chunking';
import type { OpenRangeProxy } from '../../core/jobs/chunked-ports.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { userAgent } from '../../core/version.ts';
import { type RangeSource, sparingSource, startRangeProxy } from '../http/range-proxy.ts';
import { urlRangeSource } from '../http/url-range-source.ts';
import { type BucketAccess, s3RangeSource } from '../s3/read-object.ts';
import { toProviderInputError } from '../storage/provider-error.ts';
import { newId } from '../system/clock.ts';
import { inputBuckets } from './object-stores.ts';
import { urlRules } from './url-rules.ts';

/** Limits of one request of an input. At 2 kB/s, a worker could not receive 2 MB. */
export const requestTimeouts = { idleMs: 30_000, minRate: { bytes: 65_536, windowMs: 30_000 }, connectMs: 10_000 };

/**
 * Opens proxies for objects of the media bucket, for those of storage providers with their credentials, and for inputs
 * by URL under the address rules of the stage.
 */
export function rangeProxies(media: BucketAccess, tableName: string): OpenRangeProxy {
  const openBucket = inputBuckets(tableName);
  const { reachable } = urlRules().input;
  const open = async (
    location: MediaLocation,
    { job, signal }: Parameters<OpenRangeProxy>[1],
  ): Promise<RangeSource> => {
    if ('validator' in location) {
      const url = inputUrls(job.request)[location.input] ?? '';
      const limits = { ...requestTimeouts, maxBytes: location.sizeBytes };
      return sparingSource(urlRangeSource({ url, reachable, userAgent, limits }, location));
    }
    const { storageProviderId, ...object } = location;
    if (storageProviderId === undefined) return s3RangeSource(media, object, { signal });
    const { key, ...access } = await openBucket({ ownerId: job.ownerId, storageProviderId, key: object.key });
    return sparingSource(await s3RangeSource(access, { ...object, key }, { signal, toError: toProviderInputError }));
  };
  return async (locations, context) => {
    const opened = Object.entries(locations).map(
      async ([name, location]) => [name, await open(location, context)] as const,
    );
    const sources = Object.fromEntries(await Promise.all(opened));
    return startRangeProxy({ sources, token: newId(), signal: context.signal });
  };
}
