import type { JobRef } from '../jobs/ports.ts';
import type { PictureIndex } from './picture-index.ts';
import type { SoundSpan } from './sound-span.ts';

export type ReadOptions = {
  signal: AbortSignal;
  /** Wall seconds that reading the file may take. */
  timeLimitSeconds: number;
  /** With `output` a file of ours is read, and one that cannot be read is a `TRANSCODE_ERROR`. */
  of?: 'input' | 'output';
};

export type PicturesFrom = {
  /** Its number in the file. */
  stream: number;
  /** What `beginningOf` says. */
  fileSeconds: number;
};

/** Reads the packets of a file without decoding them. Throws `JobError` where the file cannot be read. */
export type PacketReader = {
  /** Of one video stream. Times count from `fileSeconds` after the first moment of the file. */
  pictures(path: string, from: PicturesFrom, options: ReadOptions): Promise<PictureIndex>;
  /** Of the first sound track. */
  sound(path: string, options: ReadOptions): Promise<SoundSpan>;
};

/** What the state machine of a job in parts is started with; the plan itself lies in the bucket. */
export type ParallelInput = JobRef & {
  leaseId: string;
  planKey: string;
  /** The numbers of the parts, from 0. */
  parts: readonly number[];
};

/** Runs the parts of jobs side by side, one execution for each attempt, by its name. */
export type ParallelMachine = {
  /** Starting again with the same input is the same start, also when that has ended since. */
  start(execution: { name: string; input: ParallelInput }): Promise<void>;
  /** Does nothing where there is none of that name, or where it has ended. */
  stop(name: string): Promise<void>;
  /** Whether there is one of that name that has not ended. */
  isRunning(name: string): Promise<boolean>;
};
