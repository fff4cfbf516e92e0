import type { ConcurrencyLimits } from './concurrency-limit.ts';
import type { Clock } from './jobs/ports.ts';

export type LimitDeps = { concurrency: ConcurrencyLimits; clock: Pick<Clock, 'now'>; newId: () => string };

/** At most `max` calls under a limit run at the same time; undefined: any number. A call whose function crashed stops counting after `expiryMs`. */
export type LimitRule = { limit: string; max: number | undefined; expiryMs: number };

/**
 * Makes a call that holds the function until a host of an owner responds, so that no owner can hold them all.
 *
 * @param rejection creates the error for a caller above the limit
 */
export async function withinLimit<Result>(
  { concurrency, clock, newId }: LimitDeps,
  { limit, max, expiryMs }: LimitRule,
  { call, rejection }: { call: () => Promise<Result>; rejection: () => Error },
): Promise<Result> {
  if (max === undefined) return call();
  const now = clock.now();
  const name = newId();
  const endsAt = new Date(now.getTime() + expiryMs);
  if (!(await concurrency.enter({ limit, name, endsAt }, { max, now }))) throw rejection();
  try {
    return await call();
  } finally {
    await concurrency.leave({ limit, name });
  }
}
