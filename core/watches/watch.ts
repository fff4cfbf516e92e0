import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A watch of the settings, as functions read it: new objects under a prefix become jobs of a preset. */
export const watchSchema = z.object({
  name: z.string(),
  ownerId: z.string(),
  /** The provider of the objects: `bucket:<name>` or `sp_…`. */
  storageProviderId: z.string(),
  /** The bucket, if it is one of the account: only it sends events, and lists versions. */
  bucket: z.string().optional(),
  /** Of the keys in a bucket of the account; at any other provider below its own prefix. */
  prefix: z.string(),
  suffixes: z.array(z.string()).optional(),
  preset: z.string(),
  output: z.object({ storageProviderId: z.string(), key: z.string() }),
});

export type Watch = z.output<typeof watchSchema>;

/** One version of an object. `key` is the whole key in the bucket. */
export type WatchedObject = {
  key: string;
  /** Undefined in a bucket without versions. */
  versionId?: string | undefined;
  etag: string;
  sizeBytes: number;
};

export type ListedObject = WatchedObject & {
  storedAt: Date;
  /** False for a version that a later one has replaced. */
  isLatest: boolean;
};

/**
 * Whether an object is for a watch: not a folder marker, which has a key that ends with a slash, and not empty.
 * @param prefix that of the whole keys
 */
export function isWatched(
  { suffixes }: Pick<Watch, 'suffixes'>,
  prefix: string,
  { key, sizeBytes }: { key: string; sizeBytes?: number },
): boolean {
  if (sizeBytes === 0 || key.endsWith('/') || !key.startsWith(prefix)) return false;
  return suffixes === undefined || suffixes.some((suffix) => key.toLowerCase().endsWith(suffix.toLowerCase()));
}

/** The hash of key and version, which names the record of a version: 128 bits in hex. */
export function objectHash({ key, versionId, etag }: Pick<WatchedObject, 'key' | 'versionId' | 'etag'>): string {
  const version = versionId ?? bareEtag(etag);
  return createHash('sha256')
    .update(JSON.stringify([key, version]))
    .digest('hex')
    .slice(0, 32);
}

/** S3 calls the version of an object that was stored without versions `null`. */
export function versionOf(versionId: string | undefined): string | undefined {
  return versionId === 'null' || versionId === '' ? undefined : versionId;
}

/** Events of EventBridge have the ETag without quotes, listings with them. */
export function bareEtag(etag: string): string {
  return etag.replaceAll('"', '');
}
