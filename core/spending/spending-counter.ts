import * as z from 'zod';
import { addMs, durations } from '../jobs/durations.ts';
import type { JobRef } from '../jobs/ports.ts';
import { isTerminal, type JobRecord } from '../jobs/record.ts';
import { usageDateOf, usageOf } from '../jobs/usage.ts';
import { type CheckedRecords, stillNeeded } from '../jobs/usage-counter.ts';

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
  /** By the id of an unfinished job: its `maxCostUsd` or a minute when it is submitted, then its estimate. */
  reserved: z.record(z.string(), nanoUsd),
  /** By the id of a job whose record may never have been written: when its reservation was made. */
  unconfirmed: z.record(z.string(), z.iso.datetime()).optional(),
  /** The ids of jobs whose records may not be marked as counted yet. */
  latest: z.array(z.string()),
});

export type SpendingCounter = z.output<typeof spendingCounterSchema>;

export const emptySpendingCounter: SpendingCounter = { version: 0, spent: {}, reserved: {}, latest: [] };

/** The counter of a cap in the month in which a job was created. */
export type SpendingRef = JobRef & { keyId?: string | undefined };

export type SpendingCounters = {
  /** Strongly consistent. */
  read(ref: SpendingRef): Promise<SpendingCounter>;
  /** Replaces the counter of the version before; false if there is another version. */
  write(ref: SpendingRef, counter: SpendingCounter): Promise<boolean>;
  /**
   * Reserves for a new job by one conditional write, without a read. False: the counter has no room, has the job already or
   * has to be written as a whole first. Then read it.
   */
  reserve(ref: SpendingRef, reservation: Reservation): Promise<boolean>;
  /** The counters with reservations that reconcile has to confirm by now. The id of each ref is any of its month. */
  due(now: Date): Promise<SpendingRef[]>;
};

/** What a new job reserves. The limits are those of its cap, for all jobs of its day and of its month. */
export type Reservation = { cost: number; at: string; limits: { day: number; month: number } };

/** More would make the counter large. A further job is admitted without one, and reserves when a worker has claimed it. */
export const maxReservations = 1_000;

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
  const day = usageDateOf(record.jobId);
  return {
    ...giveBack(counter, record.jobId),
    spent: { ...counter.spent, [day]: (counter.spent[day] ?? 0) + cost },
    latest: [...needed, record.jobId],
  };
}

/** The counter with the reservation of a job, which replaces an earlier one of the job. Its record was read. */
export function reserveCost(counter: SpendingCounter, jobId: string, cost: number): SpendingCounter {
  const next = giveBack(counter, jobId);
  return { ...next, reserved: { ...next.reserved, [jobId]: cost } };
}

/** The counter with the reservation of a job whose record is not written yet. */
export function reserveUnconfirmed(
  counter: SpendingCounter,
  jobId: string,
  { cost, at }: Pick<Reservation, 'cost' | 'at'>,
): SpendingCounter {
  return { ...reserveCost(counter, jobId, cost), unconfirmed: { ...counter.unconfirmed, [jobId]: at } };
}

export function giveBack(counter: SpendingCounter, jobId: string): SpendingCounter {
  const { [jobId]: _, ...reserved } = counter.reserved;
  return { ...confirm(counter, jobId), version: counter.version + 1, reserved };
}

function confirm({ unconfirmed, ...counter }: SpendingCounter, jobId: string): SpendingCounter {
  const { [jobId]: _, ...others } = unconfirmed ?? {};
  return Object.keys(others).length === 0 ? counter : { ...counter, unconfirmed: others };
}

/** When a reservation has to be confirmed: no function of the API runs that long, so its job is written or never will be. */
export function confirmAt(reservedAt: string): string {
  return addMs(new Date(reservedAt), durations.confirmReservationMs);
}

/**
 * The counter after the records of jobs with unconfirmed reservations were read. What a job has reserved that was never
 * written, or has ended and was counted, is given back; the reservation of an unfinished one is confirmed. Undefined if all
 * of them have ended and are not marked as counted yet.
 */
export function confirmReservations(counter: SpendingCounter, records: CheckedRecords): SpendingCounter | undefined {
  const settled = [...records].filter(([, record]) => record === undefined || !isUncounted(record));
  if (settled.length === 0) return undefined;
  const next = settled.reduce((before, [jobId, record]) => {
    const isUnfinished = record?.state === 'queued' || record?.state === 'processing';
    return isUnfinished ? confirm(before, jobId) : giveBack(before, jobId);
  }, counter);
  return { ...next, version: counter.version + 1 };
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
  return { day: (spent[day] ?? 0) + costsOf(ofDay), month: sum(Object.values(spent)) + costsOf(others) };
}

/** The cost of an ended job whose record is not marked as counted yet. */
function uncountedCost(record: JobRecord): number | undefined {
  if (!isUncounted(record)) return undefined;
  if (isTerminal(record)) return usageOf(record).nanoUsd;
  return record.state === 'deleted' ? record.usage?.nanoUsd : undefined;
}

function isUncounted(record: JobRecord): boolean {
  return 'usageCounted' in record && record.usageCounted === false;
}
