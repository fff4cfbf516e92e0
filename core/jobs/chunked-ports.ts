import type { MediaLocation } from '@media-jobs/video/chunking';
import type { JobRef, JobStateMachine } from './ports.ts';
import type { WithInputs } from './request-inputs.ts';

/** The objects under a job's work prefix in the media bucket. */
export type WorkFiles = {
  /** Undefined if there is no such object. */
  readText(key: string): Promise<string | undefined>;
  writeText(key: string, text: string): Promise<void>;
  /** Writes a new object; false if there is one with another text, which stays. */
  createText(key: string, text: string): Promise<boolean>;
  /** Undefined if there is no such object. */
  find(key: string): Promise<{ etag: string; sizeBytes: number } | undefined>;
};

/** Files under a prefix of the media bucket. */
export type ListedFiles = {
  /** The keys that begin with it, at most 1,000. */
  list(prefix: string): Promise<string[]>;
  readText: WorkFiles['readText'];
};

/** A server on 127.0.0.1 from which ffmpeg reads files by range requests, without their addresses and credentials. */
export type RangeProxy = AsyncDisposable & {
  urlOf(name: string): string;
  /** Reads `length` bytes of a file from `offset`, fewer at its end. */
  readAt(name: string, offset: number, length: number): Promise<Uint8Array>;
  /**
   * The permanent read error, if there was one. Check it after a successful run too: ffmpeg takes a truncated response
   * for the end of the file.
   */
  failure(): unknown;
  /** Aborts on that error, or with the signal that the proxy was opened with. Pass it to every run. */
  signal: AbortSignal;
};

/** Starts a proxy for these versions of the files of a job. It closes when the signal aborts. */
export type OpenRangeProxy = (
  sources: Readonly<Record<string, MediaLocation>>,
  context: { job: { ownerId: string; request: WithInputs }; signal: AbortSignal },
) => Promise<RangeProxy>;

/** Number of a chunk task, from 0, and its message group. In lists, in the order of their start. */
type QueuedTask = { chunk: number; group: string };

/** Input of an execution of the state machine. The chunk plan is in the media bucket. */
export type ChunkedExecutionInput = JobRef & {
  leaseId: string;
  planKey: string;
  /** The tasks that end before any other starts, as `runsFirst` tells. */
  first: readonly QueuedTask[];
  /** The other tasks. */
  chunks: readonly QueuedTask[];
  /** Message group of the join. */
  group: string;
};

export type ParallelStateMachine = JobStateMachine<ChunkedExecutionInput>;

export type TaskQueue = {
  /** Hides a message for so long from now; then it is delivered again. */
  hide(receiptHandle: string, seconds: number): Promise<void>;
  remove(receiptHandle: string): Promise<void>;
  /** Sends a message to a message group. Does nothing if an equal one was sent in the last five minutes. */
  send(body: object, group: string): Promise<void>;
};

/** Reports the result of a task to the state machine by its token. Does nothing for a task whose execution has ended. */
export type TaskCallbacks = {
  succeed(taskToken: string): Promise<void>;
  /** @param error name that the state machine's `Retry` matches */
  fail(taskToken: string, error: { name: string; message: string }): Promise<void>;
};
