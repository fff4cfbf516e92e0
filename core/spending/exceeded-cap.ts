import type { SpendingCap } from '../access/spending-cap.ts';
import { usageDateOf } from '../jobs/usage.ts';
import { amountsOf, type SpendingCounter } from './spending-counter.ts';

/** A cap that a job would exceed. Dollars; `use` is what is spent and reserved. */
export type ExceededCap = {
  limit: 'usdPerDay' | 'usdPerMonth';
  value: number;
  use: number;
  /** From then on new jobs count in the next period. */
  endsAt: Date;
};

/** What is spent and reserved of the limits of a cap in the day and month of a job, without the job. */
export function usesOfCap(
  cap: SpendingCap,
  counter: SpendingCounter,
  { jobId }: { jobId: string },
): ExceededCap[] {
  const day = usageDateOf(jobId);
  const use = amountsOf(counter, { day, except: jobId });
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const limits = [
    { limit: 'usdPerDay', value: cap.usdPerDay, use: use.day, endsAt: Date.UTC(year, month - 1, date + 1) },
    { limit: 'usdPerMonth', value: cap.usdPerMonth, use: use.month, endsAt: Date.UTC(year, month, 1) },
  ] as const;
  return limits.flatMap(({ limit, value, use, endsAt }) =>
    value === undefined ? [] : [{ limit, value, use: use / 1e9, endsAt: new Date(endsAt) }],
  );
}

/** The first limit that leaves less than `usd` for a job; with 0 dollars, the first that is used up. */
export function findExceededCap(uses: readonly ExceededCap[], usd: number): ExceededCap | undefined {
  return uses.find(({ value, use }) => (usd === 0 ? use >= value : use + usd > value));
}
