import * as z from 'zod';
import { isUnderPrefix, keyBelow, objectKeySchema } from './object-key.ts';
import {
  bucketAccesses,
  type StorageProvider,
  type StorageProviderTable,
  storageProviderNotFoundMessage,
} from './provider.ts';
import { type StoredInput, stageProviderId, stageProviderIdPattern } from './storage-url.ts';

/** A bucket of the account that the setting `buckets` gives to owners. `{ownerId}` in its prefix stands for the owner. */
export const stageBucketSchema = z.strictObject({
  name: z.string(),
  bucket: z.string(),
  prefix: z.string().optional(),
  access: z.enum(bucketAccesses),
  owners: z.array(z.string()),
  /** Read by the edge. */
  playback: z.boolean().optional(),
});

export type StageBucket = z.infer<typeof stageBucketSchema>;

/** The buckets of a stage, all in its region. */
export type StageBuckets = { buckets: readonly StageBucket[]; region: string };

export function prefixOf({ prefix }: Pick<StageBucket, 'prefix'>, ownerId: string): string | undefined {
  return prefix?.replaceAll('{ownerId}', ownerId);
}

/** The creation time of a bucket of the stage, which nobody has created by the API. */
const never = new Date(0).toISOString();

function stageProviders({ buckets, region }: StageBuckets, ownerId: string): StorageProvider[] {
  return buckets
    .filter(({ owners }) => owners.includes(ownerId))
    .map(({ name, bucket, access: allows, ...rest }) => ({
      ...{ ownerId, storageProviderId: stageProviderId(name), name, kind: 's3', bucket, region },
      prefix: prefixOf(rest, ownerId),
      access: { type: 'stage', allows },
      createdAt: never,
      updatedAt: never,
    }));
}

/** The storage providers of owners: those of the stage before those of the table, which alone can be changed. */
export function withStageBuckets(table: StorageProviderTable, stage: StageBuckets): StorageProviderTable {
  return {
    ...table,
    get: async (ref) =>
      stageProviderIdPattern.test(ref.storageProviderId)
        ? stageProviders(stage, ref.ownerId).find((one) => one.storageProviderId === ref.storageProviderId)
        : table.get(ref),
    list: async (ownerId) => [...stageProviders(stage, ownerId), ...(await table.list(ownerId))],
  };
}

/** True for a URL `s3://bucket/key`. Its key is as it is: nothing in it is encoded. */
export function isS3Url(url: string): boolean {
  return /^s3:/i.test(url);
}

/** The object of a URL `s3://bucket/key` in a bucket that the owner may read, or the reason why there is none. */
export function findBucketObject(
  url: string,
  { ownerId, ...stage }: StageBuckets & { ownerId: string },
): { object: StoredInput; rejection?: undefined } | { rejection: string } {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(url) ?? [];
  if (bucket === '') return { rejection: 'The URL must be s3://, a bucket, a slash and a key' };
  const { error } = objectKeySchema.safeParse(key);
  if (error !== undefined) return { rejection: `The key of the URL is not valid. ${error.issues[0]?.message}` };
  const found = stageProviders(stage, ownerId).find(
    (one) => one.bucket === bucket && mayUse(one, 'read') && isUnderPrefix(key, one.prefix),
  );
  if (found !== undefined) {
    return { object: { storageProviderId: found.storageProviderId, key: keyBelow(key, found.prefix) } };
  }
  return {
    rejection:
      'The setting `buckets` of this stage does not let you read this object: it names buckets, prefixes and owners',
  };
}

/** The reason why jobs may not read or write at a provider. */
export function findUseProblem(provider: StorageProvider | undefined, use: 'read' | 'write'): string | undefined {
  if (provider === undefined) return storageProviderNotFoundMessage;
  if (mayUse(provider, use)) return undefined;
  return `is a bucket of the stage that jobs may ${use === 'read' ? 'write to' : 'read'} only`;
}

/** Whether jobs may read or write at a provider. Only a bucket of the stage restricts it. */
export function mayUse({ access }: Pick<StorageProvider, 'access'>, use: 'read' | 'write'): boolean {
  return access.type !== 'stage' || access.allows.split('-').includes(use);
}
