import * as z from 'zod';
import { type JobState, jobStates } from './states.ts';

/** The fields of a job's record from which usage is counted. */
export const usageRowSchema = z.object({
  state: z.enum(jobStates),
  createdAt: z.string(),
  claimedAt: z.string().optional(),
  completedAt: z.string().optional(),
  mediaSeconds: z.number().optional(),
  files: z
    .record(z.string(), z.object({ size_mbytes: z.number(), duration: z.number().optional() }))
    .optional(),
});

export type UsageRow = z.infer<typeof usageRowSchema>;

/** Reads an owner's jobs that were created in a period and not deleted, newest first, up to a limit. */
export type UsageRecords = {
  read(query: {
    ownerId: string;
    /** Inclusive. */
    from: Date;
    /** Exclusive. */
    until: Date;
    limit: number;
  }): Promise<{ rows: UsageRow[]; truncated: boolean }>;
};

export type UsageDay = {
  /** A UTC day, `2026-11-21`. */
  date: string;
  jobs: Record<JobState, number>;
  mediaSeconds: number;
  computeSeconds: number;
  outputBytes: number;
};

/** The totals of each given UTC day; zeros for a day without jobs. */
export function usageByDay(dates: readonly string[], rows: readonly UsageRow[]): UsageDay[] {
  const days = new Map(dates.map((date) => [date, emptyDay(date)]));
  for (const row of rows) {
    const day = days.get(row.createdAt.slice(0, 10));
    if (day === undefined) continue;
    day.jobs[row.state] += 1;
    day.mediaSeconds += mediaSecondsOf(row);
    day.computeSeconds += computeSecondsOf(row);
    day.outputBytes += outputBytesOf(row);
  }
  return [...days.values()].map((day) => ({
    ...day,
    mediaSeconds: roundToMs(day.mediaSeconds),
    computeSeconds: roundToMs(day.computeSeconds),
  }));
}

function emptyDay(date: string): UsageDay {
  const jobs = Object.fromEntries(jobStates.map((state) => [state, 0])) as Record<JobState, number>;
  return { date, jobs, mediaSeconds: 0, computeSeconds: 0, outputBytes: 0 };
}

type UsageSource = Omit<UsageRow, 'state' | 'createdAt'>;

/** The measured duration of the inputs; for older records, of the longest output. */
export function mediaSecondsOf({ mediaSeconds, files = {} }: UsageSource): number {
  return mediaSeconds ?? Math.max(0, ...Object.values(files).map(({ duration }) => duration ?? 0));
}

/** Wall seconds from the job's last claim to its end, whether one worker encoded it or several in parallel. */
export function computeSecondsOf({ claimedAt, completedAt }: UsageSource): number {
  if (claimedAt === undefined || completedAt === undefined) return 0;
  return Math.max(0, Date.parse(completedAt) - Date.parse(claimedAt)) / 1000;
}

function outputBytesOf({ files = {} }: UsageRow): number {
  return Object.values(files).reduce((sum, { size_mbytes }) => sum + Math.round(size_mbytes * 1_000_000), 0);
}

function roundToMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
