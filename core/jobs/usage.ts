import * as z from 'zod';
import type { Principal } from '../access/authentication.ts';
import type { GroupUsage, UsageDay } from '../api/usage.ts';
import { jobCreatedAt } from './job-id.ts';
import { type JobState, jobStates, terminalStates } from './states.ts';

/** The cost of an ended job by part, in billionths of a dollar: whole numbers, so that sums are exact. */
export const jobCostSchema = z.record(z.string(), z.int().min(0));

export type JobCost = z.infer<typeof jobCostSchema>;

/** The sum of all parts, in billionths of a dollar. */
export function nanoUsdOf(cost: JobCost): number {
  return Object.values(cost).reduce((sum, nanoUsd) => sum + nanoUsd, 0);
}

export function usdOf(nanoUsd: number): number {
  return nanoUsd / 1e9;
}

/** The dollars that a job may cost by its request and its caps. Infinity without a limit. */
export function costLimitOf({ request, costLimitUsd }: LimitedJob): number {
  return Math.min(request.maxCostUsd ?? Number.POSITIVE_INFINITY, costLimitUsd ?? Number.POSITIVE_INFINITY);
}

/** Whether a job has a limit. Without one its worker reckons no prices. */
export function hasCostLimit(job: LimitedJob): boolean {
  return costLimitOf(job) !== Number.POSITIVE_INFINITY;
}

type LimitedJob = { request: { maxCostUsd?: number | undefined }; costLimitUsd?: number | undefined };

/** The share of each output of a job of several. */
export const outputCostsSchema = z
  .record(z.string(), z.object({ usd: z.number().min(0), seconds: z.number().min(0) }))
  .describe('Of each output: seconds of its work, and its share of the dollars.');

/** A cost as the API returns it. Parts that cost nothing are left out. */
export const costViewSchema = z
  .object({
    usd: z.number().min(0),
    parts: z.array(z.object({ name: z.string(), usd: z.number().min(0) })),
    outputs: outputCostsSchema.optional(),
  })
  .meta({
    id: 'JobCost',
    description:
      'Dollars that the job has cost: its functions, requests, records and logs, its webhook at the first attempt, and the storage of its files until they expire.',
  });

/** A stored cost as the API returns it, in dollars. */
export function viewCost(cost: JobCost, outputMs?: Record<string, number>): z.output<typeof costViewSchema> {
  const parts = Object.entries(cost).filter(([, nanoUsd]) => nanoUsd > 0);
  return {
    usd: usdOf(nanoUsdOf(cost)),
    parts: parts.map(([name, nanoUsd]) => ({ name, usd: usdOf(nanoUsd) })),
    outputs: outputMs && costsOfOutputs(nanoUsdOf(cost), outputMs),
  };
}

function costsOfOutputs(nanoUsd: number, outputMs: Record<string, number>): z.output<typeof outputCostsSchema> {
  const all = Object.values(outputMs).reduce((sum, ms) => sum + ms, 0);
  const costs = Object.entries(outputMs).map(([name, ms]) => {
    const ofOutput = all === 0 ? 0 : Math.round((nanoUsd * ms) / all);
    return [name, { usd: usdOf(ofOutput), seconds: ms / 1000 }];
  });
  return Object.fromEntries(costs);
}

/** What the usage of a day is divided by. */
export const usageGroupSchema = z.object({
  /** `session`, or the id of the API key; for a key that another key created, that of the other. */
  caller: z.string(),
  /** The name of the recipe; `pipeline` for a job with several steps, `outputs` for one with several outputs. */
  recipe: z.string(),
  /** The version of the preset, if the job is of one. */
  preset: z.string().optional(),
});

export type UsageGroup = z.output<typeof usageGroupSchema>;

export const sessionCaller = 'session';

/**
 * Whose usage the jobs of a caller are. Keys that a key creates are many and short-lived, so their jobs count for the
 * key that created them.
 */
export function usageCaller(principal: Principal): string {
  if (principal.caller === 'session') return sessionCaller;
  return (principal.parent ?? principal.key).keyId;
}

export type GroupedJob = {
  caller?: string | undefined;
  preset?: string | undefined;
  request: { recipe?: { name: string } | undefined; outputs?: object | undefined };
};

/** The recipe of a job as metrics, events and the usage name it: that of its one step, or its mode. */
export function recipeLabel(request: GroupedJob['request'] | undefined): string {
  return request?.recipe?.name ?? (request?.outputs === undefined ? 'pipeline' : 'outputs');
}

/** The group of a job; undefined for a job of an earlier version. */
export function groupOf({ caller, request, preset }: Partial<GroupedJob>): UsageGroup | undefined {
  if (caller === undefined) return undefined;
  return { caller, recipe: recipeLabel(request), ...(preset !== undefined && { preset }) };
}

/** What a caller can have usage grouped by. */
export const usageDimensions = ['key', 'recipe', 'preset'] as const;

export type UsageDimension = (typeof usageDimensions)[number];

/** The values of a group that the usage is grouped by, as the API names them. */
export function dimensionsOf(
  group: UsageGroup | undefined,
  by: readonly UsageDimension[],
): { keyId?: string | null; recipe?: string | null; preset?: string | null } {
  const keyId = group === undefined || group.caller === sessionCaller ? null : group.caller;
  return {
    ...(by.includes('key') ? { keyId } : {}),
    ...(by.includes('recipe') ? { recipe: group?.recipe ?? null } : {}),
    ...(by.includes('preset') ? { preset: group?.preset ?? null } : {}),
  };
}

/** What an ended job adds to the usage of its day. Whole numbers, so that sums are exact. */
export const jobUsageSchema = z.object({
  state: z.enum(terminalStates),
  mediaMs: z.int().min(0),
  computeMs: z.int().min(0),
  outputBytes: z.int().min(0),
  /** Billionths of a dollar. */
  nanoUsd: z.int().min(0).default(0),
  /** Undefined: a job of an earlier version. */
  group: usageGroupSchema.optional(),
});

export type JobUsage = z.output<typeof jobUsageSchema>;

/** The fields of a job's record from which its usage is computed. */
type UsageSource = Partial<GroupedJob> & {
  claimedAt?: string | undefined;
  completedAt?: string | undefined;
  mediaSeconds?: number | undefined;
  files?: Record<string, { size_mbytes: number; duration?: number | undefined }> | undefined;
  cost?: JobCost | undefined;
};

export function usageOf(job: UsageSource & { state: JobUsage['state'] }): JobUsage {
  return {
    state: job.state,
    mediaMs: Math.round(mediaSecondsOf(job) * 1000),
    computeMs: Math.round(computeSecondsOf(job) * 1000),
    outputBytes: outputBytesOf(job),
    nanoUsd: nanoUsdOf(job.cost ?? {}),
    group: groupOf(job),
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

export function outputBytesOf({ files = {} }: UsageSource): number {
  return Object.values(files).reduce((sum, { size_mbytes }) => sum + Math.round(size_mbytes * 1_000_000), 0);
}

/** The UTC day of a job's creation, `2026-11-21`. */
export function usageDateOf(jobId: string): string {
  return jobCreatedAt(jobId).toISOString().slice(0, 10);
}

/** Sums over ended jobs of a UTC day. */
export type UsageTotals = {
  date: string;
  /** Undefined: jobs of an earlier version, in all groups. */
  group?: UsageGroup | undefined;
  /** The value of the metadata key by which jobs are grouped. */
  value?: string | undefined;
  jobs: Partial<Record<JobState, number>>;
  mediaMs: number;
  computeMs: number;
  outputBytes: number;
  nanoUsd: number;
};

export function totalsOfJob(job: UsageSource & { jobId: string; state: JobUsage['state'] }): UsageTotals {
  const { state, ...sums } = usageOf(job);
  return { date: usageDateOf(job.jobId), jobs: { [state]: 1 }, ...sums };
}

type UsageSums = Omit<UsageDay, 'date' | 'jobs' | 'groups'>;

/** What the ended jobs of a day are grouped by: totals, and what those of one group have in common. */
export type UsageGrouping = { totals: readonly UsageTotals[]; of: (totals: UsageTotals) => UsageLabels };

type UsageLabels = Omit<GroupUsage, keyof UsageSums | 'jobs'>;

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
  grouping?: UsageGrouping,
): UsageDay[] {
  return dates.map((date) => {
    const ofDay = totals.filter((one) => one.date === date);
    const waiting = unfinished.filter(({ jobId }) => usageDateOf(jobId) === date);
    const countOf = (state: JobState) => jobsIn(state, ofDay) + waiting.filter((job) => job.state === state).length;
    return {
      date,
      jobs: Object.fromEntries(jobStates.map((state) => [state, countOf(state)])) as UsageDay['jobs'],
      ...sumsOf(ofDay),
      ...(grouping === undefined ? {} : { groups: groupUsage(grouping, date) }),
    };
  });
}

function groupUsage({ totals, of }: UsageGrouping, date: string): GroupUsage[] {
  const groups = Map.groupBy(
    totals.filter((one) => one.date === date),
    (one) => JSON.stringify(of(one)),
  );
  return [...groups]
    .map(([labels, ofGroup]) => ({
      ...(JSON.parse(labels) as UsageLabels),
      jobs: Object.fromEntries(terminalStates.map((state) => [state, jobsIn(state, ofGroup)])) as GroupUsage['jobs'],
      ...sumsOf(ofGroup),
    }))
    .sort((a, b) => b.usd - a.usd);
}

function jobsIn(state: JobState, totals: readonly UsageTotals[]): number {
  return totals.reduce((sum, { jobs }) => sum + (jobs[state] ?? 0), 0);
}

function sumsOf(totals: readonly UsageTotals[]): UsageSums {
  const sum = (value: (one: UsageTotals) => number) => totals.reduce((all, one) => all + value(one), 0);
  return {
    mediaSeconds: sum(({ mediaMs }) => mediaMs) / 1000,
    computeSeconds: sum(({ computeMs }) => computeMs) / 1000,
    outputBytes: sum(({ outputBytes }) => outputBytes),
    usd: usdOf(sum(({ nanoUsd }) => nanoUsd)),
  };
}
