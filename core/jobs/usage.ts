import * as z from 'zod';
import { type JobCost, nanoUsdOf, usdOf } from './job-cost.ts';
import { jobCreatedAt } from './job-id.ts';
import { type JobState, jobStates, terminalStates } from './states.ts';

/** What an ended job adds to the usage of its day. Whole numbers, so that sums are exact. */
export const jobUsageSchema = z.object({
  state: z.enum(terminalStates),
  mediaMs: z.int().min(0),
  computeMs: z.int().min(0),
  outputBytes: z.int().min(0),
  /** Billionths of a dollar. */
  nanoUsd: z.int().min(0).default(0),
});

export type JobUsage = z.output<typeof jobUsageSchema>;

/** The fields of a job's record from which its usage is computed. */
type UsageSource = {
  claimedAt?: string | undefined;
  completedAt?: string | undefined;
  mediaSeconds?: number | undefined;
  files?: Record<string, { size_mbytes: number; duration?: number | undefined }> | undefined;
  cost?: JobCost | undefined;
};

/** The usage of an ended job. */
export function usageOf(job: UsageSource & { state: JobUsage['state'] }): JobUsage {
  return {
    state: job.state,
    mediaMs: Math.round(mediaSecondsOf(job) * 1000),
    computeMs: Math.round(computeSecondsOf(job) * 1000),
    outputBytes: outputBytesOf(job),
    nanoUsd: nanoUsdOf(job.cost ?? {}),
  };
}

/** The measured duration of the inputs; for older records, of the longest output. */
export function mediaSecondsOf({ mediaSeconds, files = {} }: UsageSource): number {
  return mediaSeconds ?? Math.max(0, ...Object.values(files).map(({ duration }) => duration ?? 0));
}

/** Wall seconds from the job's last claim to its end, whether one worker encoded it or several in parallel. */
export function computeSecondsOf({ claimedAt, completedAt }: UsageSource): number {
  if (claimedAt === undefined || completedAt === undefined) return 0;
  return Math.max(0, Date.parse(completedAt) - Date.parse(claimedAt)) / 1000;
}

/** Bytes of the files of a job. */
export function outputBytesOf({ files = {} }: UsageSource): number {
  return Object.values(files).reduce((sum, { size_mbytes }) => sum + Math.round(size_mbytes * 1_000_000), 0);
}

/** The UTC day of a job's creation, `2026-11-21`. */
export function usageDateOf(jobId: string): string {
  return jobCreatedAt(jobId).toISOString().slice(0, 10);
}

/** Sums over the ended jobs of a UTC day. */
export type UsageTotals = {
  date: string;
  jobs: Partial<Record<JobState, number>>;
  mediaMs: number;
  computeMs: number;
  outputBytes: number;
  nanoUsd: number;
};

export type UsageDay = {
  /** A UTC day. */
  date: string;
  jobs: Record<JobState, number>;
  mediaSeconds: number;
  computeSeconds: number;
  outputBytes: number;
  /** Dollars that the ended jobs have cost, deleted ones included. */
  usd: number;
};

/**
 * The usage of each given UTC day; zeros for a day without jobs.
 *
 * @param totals any number for each day
 * @param unfinished jobs that are queued or processing
 */
export function usageByDay(
  dates: readonly string[],
  totals: readonly UsageTotals[],
  unfinished: readonly { state: JobState; jobId: string }[],
): UsageDay[] {
  return dates.map((date) => {
    const ofDay = totals.filter((one) => one.date === date);
    const sum = (value: (one: UsageTotals) => number) => ofDay.reduce((total, one) => total + value(one), 0);
    const waiting = unfinished.filter(({ jobId }) => usageDateOf(jobId) === date);
    const countOf = (state: JobState) =>
      sum(({ jobs }) => jobs[state] ?? 0) + waiting.filter((job) => job.state === state).length;
    return {
      date,
      jobs: Object.fromEntries(jobStates.map((state) => [state, countOf(state)])) as UsageDay['jobs'],
      mediaSeconds: sum(({ mediaMs }) => mediaMs) / 1000,
      computeSeconds: sum(({ computeMs }) => computeMs) / 1000,
      outputBytes: sum(({ outputBytes }) => outputBytes),
      usd: usdOf(sum(({ nanoUsd }) => nanoUsd)),
    };
  });
}
