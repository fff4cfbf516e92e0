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

/** What is remembered of one version of an object, from before its job is made until the object is gone. */
export type ObjectRecord = {
  /** `objectHash` of the version. */
  hash: string;
  /** The id and the creation time of the job, so that a job that was begun is made only once. */
  jobId: string;
  createdAt: string;
  /** Whether the job is made, or never can be: `refused` has the code of its error. */
  isDone: boolean;
  refused?: string | undefined;
  /** The backfill that asked for this further job. */
  again?: string | undefined;
};

export type WatchState = {
  isPaused: boolean;
  /** What the watch was looking at when `since` was set. */
  source?: string | undefined;
  /** Objects that were stored before are not new: a backfill makes their jobs. */
  since?: string | undefined;
  /** The end of the last complete sweep. */
  lastSweepAt?: string | undefined;
  /** A watch of many objects is not swept before this time. */
  nextSweepAt?: string | undefined;
  /** Objects of the last sweep, and those of them that have a job. */
  objects: number;
  jobs: number;
  /** The age of the oldest object without a job. */
  lagSeconds: number;
};

/** The records of watches. */
export type WatchTable = {
  state(name: string): Promise<WatchState>;
  setPaused(name: string, isPaused: boolean): Promise<void>;
  /** Stores the fields of a sweep. The others stay. */
  recordSweep(name: string, fields: Partial<Omit<WatchState, 'isPaused'>>): Promise<void>;
  /** Stores the record of a version, unless there is one, or with `again` one of the same backfill; false if there is. */
  add(name: string, record: ObjectRecord): Promise<boolean>;
  get(name: string, hash: string): Promise<ObjectRecord | undefined>;
  /** Marks a stored record as done. Does nothing if it is gone. */
  finish(name: string, hash: string, refused?: string): Promise<void>;
  /** All records, page by page. */
  list(name: string): AsyncIterable<ObjectRecord[]>;
  remove(name: string, hashes: readonly string[]): Promise<void>;
};

export type WatchedBucket = {
  /** The prefix of the whole keys of the watch, and that of the provider. */
  prefix: string;
  providerPrefix: string | undefined;
  /** The object of a key as it is now; undefined if there is none. */
  head(key: string): Promise<WatchedObject | undefined>;
  /** All objects under the prefix, page by page in the order of their keys, folder markers and empty ones included. */
  list(): AsyncIterable<ListedObject[]>;
  /** Bytes of the object of a key as it is now, from `start` up to but excluding `end`. */
  read(key: string, range: { start: number; end: number }): Promise<Uint8Array>;
};

export type OpenWatched = (watch: Watch) => Promise<WatchedBucket>;
