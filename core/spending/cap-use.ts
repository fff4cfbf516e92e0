import type { SpendingCap } from '../access/owner-limits.ts';
import type { JobRef } from '../jobs/ports.ts';
import { usageDateOf } from '../jobs/usage.ts';
import { amountsOf, type SpendingCounter, type SpendingCounters } from './spending-counter.ts';

export type CapUse = {
  limit: 'usdPerDay' | 'usdPerMonth';
  value: number;
  use: number;
  /** Of `use`, what jobs have cost that have ended. The rest is reserved. */
  spent: number;
  /** From then on new jobs count in the next period. */
  endsAt: Date;
};

/** What is spent and reserved of the limits of a cap in the day and month of a job, without the job. */
export function usesOfCap(cap: SpendingCap, counter: SpendingCounter, { jobId }: { jobId: string }): CapUse[] {
  const day = usageDateOf(jobId);
  const use = amountsOf(counter, { day, except: jobId });
  const spent = amountsOf({ ...counter, reserved: {} }, { day });
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const limits = [
    { limit: 'usdPerDay', period: 'day', endsAt: Date.UTC(year, month - 1, date + 1) },
    { limit: 'usdPerMonth', period: 'month', endsAt: Date.UTC(year, month, 1) },
  ] as const;
  return limits.flatMap(({ limit, period, endsAt }) => {
    const value = cap[limit];
    if (value === undefined) return [];
    return [{ limit, value, use: use[period] / 1e9, spent: spent[period] / 1e9, endsAt: new Date(endsAt) }];
  });
}

/** The first limit that is used up. */
export function findUsedUpCap(uses: readonly CapUse[]): CapUse | undefined {
  return uses.find(({ value, use }) => use >= value);
}

/** The first limit that leaves less than `usd` for a job. */
export function findExceededCap(uses: readonly CapUse[], usd: number): CapUse | undefined {
  return uses.find(({ value, use }) => use + usd > value);
}

/** The limits of each cap in the day and month of a job, with what is spent and reserved of them. */
export async function readCapUses(
  spending: SpendingCounters,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<CapUse[]> {
  const uses = await Promise.all(
    caps.map(async (cap) => {
      const counter = await spending.read({ ownerId, jobId, keyId: cap.keyId });
      return usesOfCap(cap, counter, { jobId });
    }),
  );
  return uses.flat();
}
