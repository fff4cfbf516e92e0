import * as z from 'zod';
import type { JobRef } from '../jobs/ports.ts';
import { isTerminal, type JobRecord } from '../jobs/record.ts';
import { usageDateOf, usageOf } from '../jobs/usage.ts';

const nanoUsd = z.int().min(0);

/**
 * What the jobs of one cap cost that were created in one UTC month. Billionths of a dollar: whole numbers, so that sums are
 * exact. A job is counted in the same way as in a usage counter, before the write of its record that says so.
 */
export const spendingAccountSchema = z.object({
  /** Counts the writes. A write requires the version that was read; 0: there is no account. */
  version: z.int().min(0),
  /** By UTC day: the cost of the jobs of that day that have ended, deleted ones included. */
  spent: z.record(z.string(), nanoUsd),
  /** By the id of an unfinished job: what it will cost at most, as estimated before it was encoded. */
  reserved: z.record(z.string(), nanoUsd),
  /** The ids of jobs whose records may not tell yet that they were counted. */
  latest: z.array(z.string()),
});

export type SpendingAccount = z.output<typeof spendingAccountSchema>;

export const emptySpendingAccount: SpendingAccount = { version: 0, spent: {}, reserved: {}, latest: [] };

/** The account of a cap in the month in which a job was created. */
export type AccountRef = JobRef & { keyId?: string | undefined };

/** The accounts of owners and of their keys. */
export type SpendingAccounts = {
  /** Strongly consistent. */
  read(ref: AccountRef): Promise<SpendingAccount>;
  /** Replaces the account of the version before; false if there is another version. */
  write(ref: AccountRef, account: SpendingAccount): Promise<boolean>;
};

/** An account with so many ids checks them at its next write, so that it stays small. */
const maxUncheckedIds = 8;

/** The jobs whose records `countCost` needs besides that of the job to count. */
export function idsToCheck({ latest }: SpendingAccount): string[] {
  return latest.length < maxUncheckedIds ? [] : latest;
}

/**
 * The account after the cost of an ended job is added and its reservation removed; undefined if its record demands no
 * change. The record has to be read after the account: see `nextUsageCounter`.
 *
 * @param checked the records of `idsToCheck`: ids of jobs that were counted are removed
 */
export function countCost(
  account: SpendingAccount,
  record: JobRecord | undefined,
  checked: ReadonlyMap<string, JobRecord | undefined> = new Map(),
): SpendingAccount | undefined {
  const cost = record && uncountedCost(record);
  if (record === undefined || cost === undefined || account.latest.includes(record.jobId)) return undefined;
  const needed = account.latest.filter((id) => {
    const found = checked.get(id);
    return !checked.has(id) || (found !== undefined && uncountedCost(found) !== undefined);
  });
  const { [record.jobId]: _, ...reserved } = account.reserved;
  const day = usageDateOf(record.jobId);
  return {
    version: account.version + 1,
    spent: { ...account.spent, [day]: (account.spent[day] ?? 0) + cost },
    reserved,
    latest: [...needed, record.jobId],
  };
}

/** The account with the reservation of a job, which replaces an earlier one of the job. */
export function reserveCost(account: SpendingAccount, jobId: string, cost: number): SpendingAccount {
  const reserved = { ...account.reserved, [jobId]: cost };
  return { ...account, version: account.version + 1, reserved };
}

/** What is spent and reserved in the month of an account, and on one of its UTC days, without one job. */
export function amountsOf(
  { spent, reserved }: SpendingAccount,
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

/** The cost of an ended job whose record does not tell yet that it was counted. */
function uncountedCost(record: JobRecord): number | undefined {
  if (isTerminal(record)) return record.usageCounted === false ? usageOf(record).nanoUsd : undefined;
  if (record.state !== 'deleted' || record.usageCounted !== false) return undefined;
  return record.usage?.nanoUsd;
}
