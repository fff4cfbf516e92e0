import { inputFileSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import type { JobRef, RemovalOptions, RemovalResult } from './ports.ts';

/** Bound of ffmpeg's log. With the commands it must fit into one DynamoDB item of 400 KB. */
export const maxLogBytes = 64 * 1024;

/** Bound of the commands. The chunks of a long video have hundreds. */
export const maxCommandBytes = 128 * 1024;

/** The ffmpeg commands of one attempt, and their log. */
export const attemptLogSchema = z.object({
  attempt: z.int().min(1),
  ffmpegVersion: z.string(),
  /** The service that ran the attempt. Absent in logs of versions before 0.2.0. */
  serviceVersion: z.string().optional(),
  /** What the kernel put around ffmpeg, such as `landlock 7`. Absent without a launcher. */
  isolation: z.array(z.string()).optional(),
  /** Absent in logs of earlier versions of the service. */
  inputs: z.array(inputFileSchema).optional(),
  /** The first ones and the last, up to `maxCommandBytes`. */
  commands: z.array(z.array(z.string())),
  /** The last `maxLogBytes`. */
  log: z.string(),
});

export type AttemptLog = z.infer<typeof attemptLogSchema>;

/** The logs of jobs: items of the owner's partition (../../adapters/dynamodb/DECISION.md). */
export type JobLogs = {
  /** Replaces an earlier log of the same attempt. */
  put(ref: JobRef, log: AttemptLog, expiresAt: Date): Promise<void>;
  /** In the order of the attempts; none for a job that was never claimed. */
  list(ref: JobRef): Promise<AttemptLog[]>;
  removeAll(ref: JobRef, options?: RemovalOptions): Promise<RemovalResult>;
};
