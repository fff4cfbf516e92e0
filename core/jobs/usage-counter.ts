import * as z from 'zod';
import { retryConflicts } from '../async.ts';
import type { Clock, JobRef, JobTable } from './ports.ts';
import { isTerminal, type JobIn, type JobRecord, type TerminalJob } from './record.ts';
import { asUnreadable, UnreadableJobError } from './unreadable-job-error.ts';
import { type JobUsage, jobUsageSchema, totalsOfJob, type UsageGroup, type UsageTotals, usageOf } from './usage.ts';

type Counter = { latest: readonly string[] };

type UpdateCounterDeps<R extends JobRef, C extends Counter> = {
  jobs: Pick<JobTable, 'get'>;
  clock: Pick<Clock, 'sleep'>;
  counters: { read(ref: R): Promise<C>; write(ref: R, counter: C): Promise<boolean> };
};

/**
 * Replaces the counter of a job by the next one, unless `next` has none. The records are read after the counter: see
 * `nextUsageCounter`. The name of a job whose record this version of the service cannot read stays in the counter.
 *
 * @returns the record of the job
 * @throws ConflictError after 100 conflicts with other writes of the counter
 */
export function updateCounter<R extends JobRef, C extends Counter>(
  { jobs, clock, counters }: UpdateCounterDeps<R, C>,
  ref: R,
  next: (counter: C, record: JobRecord | undefined, checked: CheckedRecords) => C | undefined,
): Promise<JobRecord | undefined> {
  const { ownerId, jobId } = ref;
  const readChecked = async (id: string) => {
    const job = await jobs.get({ ownerId, jobId: id }).catch(asUnreadable);
    return job instanceof UnreadableJobError ? [] : [[id, job] as const];
  };
  return retryConflicts(
    async () => {
      const counter = await counters.read(ref);
      const [record, ...checked] = await Promise.all([jobs.get(ref), ...idsToCheck(counter.latest).map(readChecked)]);
      const replacement = next(counter, record, new Map(checked.flat()));
      const isDone = replacement === undefined || (await counters.write(ref, replacement));
      return isDone ? record : false;
    },
    { clock, jobId },
  );
}

/** From this many names on, a write checks the records of their jobs, so that a counter stays below one kilobyte. */
const maxUncheckedNames = 8;

export type CheckedRecords = ReadonlyMap<string, JobRecord | undefined>;

/** The jobs of a counter's latest changes whose records its next write needs, besides that of the job to count. */
function idsToCheck(latest: readonly string[]): string[] {
  return latest.length < maxUncheckedNames ? [] : [...new Set(latest.map(jobIdOf))];
}

/** The latest changes without those of checked jobs whose records demand none any more. */
export function stillNeeded(
  latest: readonly string[],
  checked: CheckedRecords,
  demandsChange: (record: JobRecord) => boolean,
): string[] {
  return latest.filter((name) => {
    const record = checked.get(jobIdOf(name));
    return !checked.has(jobIdOf(name)) || (record !== undefined && demandsChange(record));
  });
}

/** A change is named by the id of its job, with a minus sign if it subtracts the job. */
function jobIdOf(name: string): string {
  return name.replace(/-$/, '');
}

/**
 * The usage of the ended jobs of one group that one owner created on one UTC day, in one of several shards.
 *
 * A job is counted before the write that marks its record, and both can be lost or repeated. So the counter keeps the
 * names of the latest changes until the records of their jobs tell that they were counted.
 */
export const usageCounterSchema = z.object({
  /** Counts the writes. A write requires the version that was read; 0: there is no counter. */
  version: z.int().min(0),
  jobs: z.partialRecord(jobUsageSchema.shape.state, z.int()),
  mediaMs: z.int(),
  computeMs: z.int(),
  outputBytes: z.int(),
  /** Of all jobs, including deleted ones: a deletion does not undo the cost. */
  nanoUsd: z.int().default(0),
  /** The names of changes, see `nextUsageCounter`. */
  latest: z.array(z.string()),
});

export type UsageCounter = z.output<typeof usageCounterSchema>;

export const emptyUsageCounter: UsageCounter = {
  version: 0,
  jobs: {},
  mediaMs: 0,
  computeMs: 0,
  outputBytes: 0,
  nanoUsd: 0,
  latest: [],
};

/** A job selects its counter: that of its day, shard and group. */
export type UsageRef = JobRef & { group: UsageGroup | undefined };

export type CountedRecord = TerminalJob | JobIn<'deleted'>;

/** The counter of a job. The record of a deleted job knows its group until its usage is subtracted. */
export function usageRefOf(record: CountedRecord): UsageRef {
  const { ownerId, jobId } = record;
  const { group } = (record.state === 'deleted' ? record.usage : usageOf(record)) ?? {};
  return { ownerId, jobId, group };
}

export type UsageCounters = {
  /** Strongly consistent. */
  read(ref: UsageRef): Promise<UsageCounter>;
  /** Replaces the counter of the version before; false if there is another version. */
  write(ref: UsageRef, counter: UsageCounter): Promise<boolean>;
};

/** Jobs of an owner that were created in a period, the newest first. */
type NewestJobs = {
  ownerId: string;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  until: Date;
  limit: number;
};

/** The usage of an owner's ended jobs over UTC days. */
export type UsageRecords = {
  /**
   * The counters from the first to the last day, both inclusive, each with its `latest`, those of the newest days first.
   * `truncated`: there are more of earlier days than are read. Strongly consistent.
   */
  totals(query: {
    ownerId: string;
    firstDate: string;
    lastDate: string;
  }): Promise<{ totals: CounterTotals[]; truncated: boolean }>;
  /** Those of the newest `limit` jobs whose records do not say yet that they were counted. Strongly consistent. */
  uncounted(query: NewestJobs): Promise<TerminalJob[]>;
};

type CounterTotals = UsageTotals & Pick<UsageCounter, 'latest'>;

/** The totals of ended jobs that no counter has yet. Their records must have been read before the counters. */
export function uncountedTotals(
  jobs: readonly TerminalJob[],
  counters: readonly Pick<UsageCounter, 'latest'>[],
): UsageTotals[] {
  const names = new Set(counters.flatMap(({ latest }) => latest));
  return jobs.filter(({ jobId }) => !names.has(jobId)).map(totalsOfJob);
}

/**
 * The counter after the change that a job's record demands, undefined if it demands none: an ended job is added under its
 * id, a deleted one is subtracted under its id and a minus sign. A deletion is written even if the job was never added:
 * a concurrent write that adds the job then fails, and only the job's cost is added.
 *
 * The record has to be read after the counter. Otherwise the job may have been counted, and its name removed, in between.
 *
 * @param checked the records of `idsToCheck`: the names of jobs that demand nothing any more are removed
 */
export function nextUsageCounter(
  counter: UsageCounter,
  record: JobRecord | undefined,
  checked: CheckedRecords = new Map(),
): UsageCounter | undefined {
  const name = record && nameOfChange(record);
  if (record === undefined || name === undefined || counter.latest.includes(name)) return undefined;
  const needed = stillNeeded(counter.latest, checked, (other) => nameOfChange(other) !== undefined);
  const next = { ...counter, version: counter.version + 1, latest: [...needed, name] };
  if (isTerminal(record)) return addCost(addUsage(next, usageOf(record), 1), usageOf(record));
  if (record.state !== 'deleted' || record.usage === undefined) return undefined;
  const isAdded = record.usageCounted === true || counter.latest.includes(record.jobId);
  if (!isAdded) return addCost(next, record.usage);
  // The counters of a day expire before its jobs.
  return counter.version === 0 ? undefined : addUsage(next, record.usage, -1);
}

/** The name of the change that a record demands; undefined if it was counted, or is unfinished. */
function nameOfChange(record: JobRecord): string | undefined {
  if (isTerminal(record)) return record.usageCounted === false ? record.jobId : undefined;
  return record.state === 'deleted' && record.usage !== undefined ? `${record.jobId}-` : undefined;
}

function addUsage(counter: UsageCounter, usage: JobUsage, sign: 1 | -1): UsageCounter {
  return {
    ...counter,
    jobs: { ...counter.jobs, [usage.state]: (counter.jobs[usage.state] ?? 0) + sign },
    mediaMs: counter.mediaMs + sign * usage.mediaMs,
    computeMs: counter.computeMs + sign * usage.computeMs,
    outputBytes: counter.outputBytes + sign * usage.outputBytes,
  };
}

function addCost(counter: UsageCounter, { nanoUsd }: JobUsage): UsageCounter {
  return { ...counter, nanoUsd: counter.nanoUsd + nanoUsd };
}
