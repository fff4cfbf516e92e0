import type { JobRef } from '../jobs/ports.ts';
import type { AudioRange } from './frame-index/audio-range.ts';
import type { FrameIndex } from './frame-index/frame-index.ts';
import type { StoredObject } from './plan/chunk-plan.ts';

export type PacketReadOptions = {
  signal: AbortSignal;
  /** Wall seconds that reading the file may take. */
  timeLimitSeconds: number;
  /** With `output` a file of ours is read, and one that cannot be read is a `TRANSCODE_ERROR`. */
  role?: 'input' | 'output';
};

export type VideoStreamRef = {
  /** Its number in the file. */
  stream: number;
  /** What `timelineOriginSeconds` says. */
  fileSeconds: number;
};

/** Reads the packets of a file without decoding them. Throws `JobError` where the file cannot be read. */
export type PacketReader = {
  /** Of one video stream. Times count from `fileSeconds` after the first moment of the file. */
  readFrameIndex(path: string, from: VideoStreamRef, options: PacketReadOptions): Promise<FrameIndex>;
  /** Of the first sound track. */
  readAudioRange(path: string, options: PacketReadOptions): Promise<AudioRange>;
};

/** Small files that the parts of a job leave for each other in the media bucket. */
export type WorkFiles = {
  /** Undefined where there is no such object. */
  readText(key: string): Promise<string | undefined>;
  writeText(key: string, text: string): Promise<void>;
  /** Undefined where there is no such object. */
  find(key: string): Promise<{ etag: string; sizeBytes: number } | undefined>;
};

/** Where ffmpeg on this machine reads objects of the media bucket by ranges, for as long as it is not disposed of. */
export type S3RangeProxy = AsyncDisposable & {
  /** Of the object that it was opened with under this name. */
  urlOf(name: string): string;
  /**
   * Why reading an object failed for good, where it did. To be asked after a run that went well too: ffmpeg takes the
   * end of what came for the end of the file.
   */
  failure(): unknown;
  /** Aborts with that failure, and when the signal does that the door was opened with: to be given to a run. */
  signal: AbortSignal;
};

/** Opens a door to objects in the versions that are named; it closes by itself when the signal aborts. */
export type OpenS3RangeProxy = (
  objects: Readonly<Record<string, StoredObject>>,
  signal: AbortSignal,
) => Promise<S3RangeProxy>;

/** What the state machine of a job in parts is started with; the plan itself lies in the bucket. */
export type ChunkedExecutionInput = JobRef & {
  leaseId: string;
  planKey: string;
  /** The numbers of the parts, from 0. */
  chunks: readonly number[];
};

/** Runs the parts of jobs side by side, one execution for each attempt, by its name. */
export type ParallelMachine = {
  /** Starting again with the same input is the same start, also when that has ended since. */
  start(execution: { name: string; input: ChunkedExecutionInput }): Promise<void>;
  /** Does nothing where there is none of that name, or where it has ended. */
  stop(name: string): Promise<void>;
  /** Whether there is one of that name that has not ended. */
  isRunning(name: string): Promise<boolean>;
};
