import type { SecretCipher } from '../secret-cipher.ts';
import type { AssembledPart } from '../storage/assembly.ts';
import type { DueKind } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { ChunkProgress, ChunkProgressResult } from './progress.ts';
import type { QueueName } from './queues.ts';
import type { Job, JobRecord } from './record.ts';
import type { TerminalState } from './states.ts';
import type { UnreadableJobError } from './unreadable-job-error.ts';

/** The key of a job. Jobs are addressed through their owner only. */
export type JobRef = { ownerId: string; jobId: string };

/** Executions of a state machine to which jobs are delegated, by name: one for each attempt at a job. */
export type JobStateMachine<Input> = {
  /** Idempotent for the same input, even after the execution has ended. */
  start(execution: { name: string; input: Input }): Promise<void>;
  /** Does nothing if there is no such execution or it has ended. */
  stop(name: string): Promise<void>;
  /** Undefined if Step Functions throttles the call. */
  isRunning(name: string): Promise<boolean | undefined>;
};

/** Input of an execution that runs a whole job as a Fargate task. */
export type DelegatedJobInput = JobRef & { leaseId: string };

export type FargateMachine = JobStateMachine<DelegatedJobInput>;

/** The state machine whose executions run the tasks of the pool. */
export type PoolMachine = {
  /** Starts an execution. A repeated start has no effect, also once the execution has ended. */
  start(name: string): Promise<void>;
  /** Counts running executions, up to a maximum. */
  countRunning(max: number): Promise<number>;
};

/** A job in the index of due jobs, with the `dueAt` of the index entry. */
export type DueRef = JobRef & {
  dueAt: string;
  /** Of the delivery of the job to an endpoint. */
  endpointId?: string;
};

export type DueQuery = {
  kind: DueKind;
  shard: number;
  now: Date;
  limit: number;
  /** Continues after this one. */
  after?: DueRef | undefined;
};

/**
 * `isRepeat`: the same record was stored before, by an earlier try of this write or by an equal write of another function.
 * If not written, `current` is the stored record that the guard rejected; undefined if there is none.
 */
export type WriteResult = { written: true; isRepeat?: true } | { written: false; current: JobRecord | undefined };

/**
 * The next page continues after `lastJobId`; undefined on the last page. Any page may be short or empty. `unreadable` has
 * the jobs that it leaves out because their records cannot be read.
 */
export type JobPage = { jobs: Job[]; lastJobId: string | undefined; unreadable: UnreadableJobError[] };

/** Order of a list by creation: newest first by default. */
export type ListOrder = 'asc' | 'desc';

export type JobListing = {
  ownerId: string;
  limit: number;
  /** Only jobs that ended in this state. Such a page is eventually consistent. */
  state?: TerminalState | undefined;
  /** By creation: newest first by default. */
  order?: ListOrder | undefined;
  /** Continues after this one. */
  afterJobId?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
  /** Reads of the table, each of which may find deleted jobs only. After the last one the page ends early. */
  maxReads?: number | undefined;
};

/** A job in the index of queued jobs. Its priority, if it is not the default one. */
export type WaitingRef = JobRef & { priority?: number };

export type WaitingQuery = {
  limit: number;
  /** By default that of short jobs. */
  queue?: QueueName;
  ownerId?: string;
  /** Continues after this job, or after all jobs of this owner. */
  after?: WaitingRef | { ownerId: string; jobId?: never } | undefined;
};

/** The waiting jobs of one owner in a queue, as in `WaitingQuery`; of those before a job, if that is given. */
export type OwnWaitingCount = { ownerId: string; queue?: QueueName; limit: number; ahead?: WaitingRef | undefined };

/** The waiting jobs of one owner in a queue, by their creation. */
export type OwnWaitingQuery = Omit<OwnWaitingCount, 'ahead'> & {
  /** Only jobs with a smaller id. */
  before?: string | undefined;
  /** Only this job and those with a larger id. */
  from?: string | undefined;
  /** By creation: newest first by default. */
  order?: ListOrder | undefined;
};

/** The jobs of an owner whose source's file name begins with a text. */
export type NamedQuery = { ownerId: string; prefix: string; limit: number };

/** The table of job records. After an error it is unknown whether the call took effect. */
export type JobTable = {
  /**
   * Returns tombstones too. Strongly consistent, unless the record may be stale: then it may be seconds old, for half
   * of the cost, but a job that was just created is found.
   */
  get(ref: JobRef, options?: { mayBeStale?: boolean }): Promise<JobRecord | undefined>;
  /** One conditional write of one item. A retry of a write that took effect reports it as written. */
  write(change: JobChange): Promise<WriteResult>;
  /** Writes the percent of one chunk only, so that many chunks can report concurrently. */
  recordChunkProgress(progress: ChunkProgress): Promise<ChunkProgressResult>;
  /** Without deleted jobs. */
  list(listing: JobListing): Promise<JobPage>;
  /** Jobs of one kind and shard with `dueAt` in the past, earliest first, from an index that may be seconds stale. */
  due(query: DueQuery): Promise<DueRef[]>;
  /** The jobs of a queue, by owner, then by priority, then oldest first, from an index that may be seconds stale. */
  waiting(query: WaitingQuery): Promise<WaitingRef[]>;
  /** The ids of an owner's jobs of a queue, from the same index. */
  waitingIds(query: OwnWaitingQuery): Promise<string[]>;
  /** Counts them, at most `limit`. */
  countWaiting(query: OwnWaitingCount): Promise<number>;
  /** Ids of jobs by the name of their source, in any order, from an index that may be seconds stale. */
  named(query: NamedQuery): Promise<string[]>;
};

/** Sends queued jobs to the workers: at least once, in any order. */
export type TranscodeQueue = {
  /** @param options.delaySeconds the worker gets the message after this time; by default at once */
  send(ref: JobRef, options?: { delaySeconds?: number }): Promise<void>;
};

/** The finished files of jobs in the media bucket. */
export type MediaFiles = {
  upload(file: FileToUpload): Promise<void>;
  /** Makes a file of ranges of other objects in the same bucket, and of bytes. Nothing is left after an error. */
  assemble(file: AssembledFile): Promise<{ etag: string }>;
  /** Writes a stored file to the disk; undefined if there is none. */
  download(file: { key: string; path: string; signal: AbortSignal }): Promise<{ bytes: number } | undefined>;
  /** Removes every object under the prefix except those under `except`. */
  removeAll(prefix: string, options?: { except?: readonly string[] } & RemovalOptions): Promise<RemovalResult>;
};

export type RemovalOptions = {
  /** Called before each further page. By default everything is removed. */
  mayContinue?: () => boolean;
};

/** `incomplete`: `mayContinue` has stopped the removal before everything was removed. */
export type RemovalResult = 'complete' | 'incomplete';

export type FileToUpload = {
  path: string;
  key: string;
  mimeType: string;
  signal: AbortSignal;
  /** Receives the number of bytes stored so far. */
  onProgress?: (bytes: number) => void;
};

export type AssembledFile = Omit<FileToUpload, 'path'> & { parts: readonly AssembledPart[] };

export type SignedUrl = { url: string; expiresAt: Date };

/** What the URLs of finished files are made of. */
export type FileLinks = {
  /** Base URL of the API, without a trailing slash. */
  publicUrl: string;
  fileUrlSeconds: number;
  setUrlSeconds: number;
};

/** The files of jobs in one place: the media bucket, or a storage provider. */
export type FileStorage = {
  /**
   * Reads a playlist, a manifest or cues.
   * @throws AppError `NOT_FOUND` if there is none, `PAYLOAD_TOO_LARGE` above 8 MiB, `UNAVAILABLE` if the storage cannot be
   *   read
   */
  readText(key: string): Promise<string>;
  /** A presigned GET URL that downloads the file under `filename`, for five minutes. */
  sign(file: { key: string; filename: string; mimeType: string }): Promise<string>;
};

export type Clock = {
  now(): Date;
  /** Resolves early when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Encrypts content keys, which are 32 hexadecimal digits. */
export type ContentKeyCipher = SecretCipher<JobRef>;
