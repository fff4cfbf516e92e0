import type { ListedObject, Watch, WatchedObject } from './watch.ts';

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

/** Opens the bucket of a watch. */
export type OpenWatched = (watch: Watch) => Promise<WatchedBucket>;
