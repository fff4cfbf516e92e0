import type { ChunkProgress, ChunkProgressResult } from './execution-transitions.ts';
import type { JobChange } from './guard.ts';
import type { Job, JobRecord } from './record.ts';
import type { JobState } from './states.ts';

/** Which job: an owner's jobs can only be reached through the owner. */
export type JobRef = { ownerId: string; jobId: string };

/** A job in the index of due jobs, with the `dueAt` that the index has. */
export type DueRef = JobRef & { dueAt: string };

export type DueQuery = {
  shard: number;
  now: Date;
  limit: number;
  /** Goes on after this one. */
  after?: DueRef | undefined;
};

/** A write either happened, or the guard did not hold of `current` (undefined: there is no such item). */
export type WriteResult = { written: true } | { written: false; current: JobRecord | undefined };

/** `lastJobId` is where the next page goes on; undefined at the end of the list. */
export type JobPage = { jobs: Job[]; lastJobId: string | undefined };

export type JobListing = {
  ownerId: string;
  limit: number;
  /** Only jobs in this state; such a page may be a moment old. */
  state?: JobState | undefined;
  /** Jobs that come after this one in the list, newest first. */
  afterJobId?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
};

/** Where the records of jobs are. Errors of any method mean that it is unknown whether the call took effect. */
export type JobTable = {
  /** Strongly consistent. A tombstone is returned as such. */
  get(ref: JobRef): Promise<JobRecord | undefined>;
  /** One conditional write of one item. Repeating a write that took effect, its answer lost, reports it as written. */
  write(change: JobChange): Promise<WriteResult>;
  /** Writes the percent of one part and nothing else, so that many parts can report at once. */
  recordChunkProgress(recordChunkProgress: ChunkProgress): Promise<ChunkProgressResult>;
  /** Newest first, without deleted ones. */
  list(listing: JobListing): Promise<JobPage>;
  /** Jobs of one shard whose `dueAt` has come, earliest first; read from an index that may be seconds stale. */
  due(query: DueQuery): Promise<DueRef[]>;
};

/** Hands a queued job to the workers, at least once, in any order. */
export type TranscodeQueue = { send(ref: JobRef): Promise<void> };

/** The files of jobs. */
export type MediaFiles = {
  upload(file: UploadedFile): Promise<void>;
  /** Removes every object under the prefix but those under one of `except`. */
  removeAll(prefix: string, options?: { except?: string }): Promise<void>;
};

export type UploadedFile = {
  path: string;
  key: string;
  mimeType: string;
  signal: AbortSignal;
  /** Told how many bytes of the file are stored, as that grows. */
  onProgress?: (bytes: number) => void;
};

export type SignedUrl = { url: string; expiresAt: Date };

/** URLs of finished files. */
export type FileLinks = {
  /** A presigned GET URL that downloads the file under `filename`. */
  signDownload(file: { key: string; filename: string; mimeType: string }): Promise<SignedUrl>;
  /** Where clients reach the API, without a slash at the end. */
  publicUrl: string;
};

/** Playlists, and the files that they name. */
export type PlaylistFiles = {
  /**
   * The text of a file, read with the caller's signature: the parameters of a presigned GET. Throws AppError
   * FORBIDDEN where it does not open the file, NOT_FOUND where there is none.
   */
  read(file: { key: string; signature: Readonly<Record<string, string>> }): Promise<string>;
  /** A presigned GET URL that does not live longer than to that moment. Throws AppError FORBIDDEN once it has come. */
  sign(key: string, expiresAt: Date): Promise<string>;
};

/** The time, and waiting for it; both virtual in tests. */
export type Clock = {
  now(): Date;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};
