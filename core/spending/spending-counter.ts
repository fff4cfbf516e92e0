import * as z from 'zod';
import { type CheckedRecords, stillNeeded } from '../jobs/counted-changes.ts';
import type { JobRef } from '../jobs/ports.ts';
import { isTerminal, type JobRecord } from '../jobs/record.ts';
import { usageDateOf, usageOf } from '../jobs/usage.ts';

const nanoUsd = z.int().min(0);

/**
 * What the jobs of one cap cost that were created in one UTC month. Billionths of a dollar: whole numbers, so that sums are
 * exact. A job is counted in the same way as in a usage counter, before the write that marks its record.
 */
export const spendingCounterSchema = z.object({
  /** Counts the writes. A write requires the version that was read; 0: there is no counter. */
  version: z.int().min(0),
  /** By UTC day: the cost of the jobs of that day that have ended, deleted ones included. */
  spent: z.record(z.string(), nanoUsd),
  /** By the id of an unfinished job: what it will cost at most, as estimated before it was encoded. */
  reserved: z.record(z.string(), nanoUsd),
  /** The ids of jobs whose records may not be marked as counted yet. */
  latest: z.array(z.string()),
});

export type SpendingCounter = z.output<typeof spendingCounterSchema>;

export const emptySpendingCounter: SpendingCounter = { version: 0, spent: {}, reserved: {}, latest: [] };

/** The counter of a cap in the month in which a job was created. */
export type SpendingRef = JobRef & { keyId?: string | undefined };

/** The counters of owners and of their keys. */
export type SpendingCounters = {
  /** Strongly consistent. */
  read(ref: SpendingRef): Promise<SpendingCounter>;
  /** Replaces the counter of the version before; false if there is another version. */
  write(ref: SpendingRef, counter: SpendingCounter): Promise<boolean>;
};

/**
 * The counter after the cost of an ended job is added and its reservation removed; undefined if its record demands no
 * change. The record has to be read after the counter: see `nextUsageCounter`.
 *
 * @param checked the records of `idsToCheck`: ids of jobs that were counted are removed
 */
export function countCost(
  counter: SpendingCounter,
  record: JobRecord | undefined,
  checked: CheckedRecords = new Map(),
): SpendingCounter | undefined {
  const cost = record && uncountedCost(record);
  if (record === undefined || cost === undefined || counter.latest.includes(record.jobId)) return undefined;
  const needed = stillNeeded(counter.latest, checked, (other) => uncountedCost(other) !== undefined);
  const { [record.jobId]: _, ...reserved } = counter.reserved;
  const day = usageDateOf(record.jobId);
  return {
    version: counter.version + 1,
    spent: { ...counter.spent, [day]: (counter.spent[day] ?? 0) + cost },
    reserved,
    latest: [...needed, record.jobId],
  };
}

/** The counter with the reservation of a job, which replaces an earlier one of the job. */
export function reserveCost(counter: SpendingCounter, jobId: string, cost: number): SpendingCounter {
  const reserved = { ...counter.reserved, [jobId]: cost };
  return { ...counter, version: counter.version + 1, reserved };
}

/** What is spent and reserved in the month of a counter, and on one of its UTC days, without one job. */
export function amountsOf(
  { spent, reserved }: SpendingCounter,
  { day, except }: { day: string; except?: string },
): { day: number; month: number } {
  const others = Object.entries(reserved).filter(([jobId]) => jobId !== except);
  const ofDay = others.filter(([jobId]) => usageDateOf(jobId) === day);
  const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);
  const costsOf = (entries: typeof others) => sum(entries.map(([, cost]) => cost));
  return {
    day: (spent[day] ?? 0) + costsOf(ofDay),
    month: sum(Object.values(spent)) + costsOf(others),
  };
}

/** The cost of an ended job whose record is not marked as counted yet. */
function uncountedCost(record: JobRecord): number | undefined {
  if (isTerminal(record)) return record.usageCounted === false ? usageOf(record).nanoUsd : undefined;
  if (record.state !== 'deleted' || record.usageCounted !== false) return undefined;
  return record.usage?.nanoUsd;
}
