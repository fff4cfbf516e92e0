import * as z from 'zod';
import type { JobRef } from './ports.ts';

/** How much of what ffmpeg said is kept, in bytes: with the rest of its item it must fit into 400 KB. */
export const maxLogBytes = 64 * 1024;

/** How much of what it was asked is kept, in bytes: the parts of a long video make hundreds of commands. */
export const maxCommandBytes = 128 * 1024;

/** What ffmpeg was asked to do in one attempt at a job, and what it said. */
export const attemptLogSchema = z.object({
  attempt: z.int().min(1),
  ffmpegVersion: z.string(),
  /** The first of them and the last, up to `maxCommandBytes`. */
  commands: z.array(z.array(z.string())),
  /** The last `maxLogBytes` of it. */
  log: z.string(),
});

export type AttemptLog = z.infer<typeof attemptLogSchema>;

/** Where the logs of jobs are: items of the owner's partition (docs/decisions/job-logs.md). */
export type JobLogs = {
  /** Stores an attempt's log in place of an earlier one of the same attempt. */
  put(ref: JobRef, log: AttemptLog, expiresAt: Date): Promise<void>;
  /** In order of the attempts; none for a job that no worker has taken yet. */
  list(ref: JobRef): Promise<AttemptLog[]>;
  removeAll(ref: JobRef): Promise<void>;
};
