import type { Clock } from './jobs/ports.ts';
import type { Permits } from './permits.ts';

export type PermitDeps = { permits: Permits; clock: Pick<Clock, 'now'>; newId: () => string };

/** At most `max` calls of a group run at the same time; undefined: any number. A call whose function crashed stops counting after `expiryMs`. */
export type PermitRule = { group: string; max: number | undefined; expiryMs: number };

/**
 * Makes a call that holds the function until a host of an owner responds, so that no owner can hold them all.
 *
 * @param rejection creates the error for a caller above the limit
 */
export async function withPermit<Result>(
  { permits, clock, newId }: PermitDeps,
  { group, max, expiryMs }: PermitRule,
  { call, rejection }: { call: () => Promise<Result>; rejection: () => Error },
): Promise<Result> {
  if (max === undefined) return call();
  const now = clock.now();
  const holder = newId();
  const endsAt = new Date(now.getTime() + expiryMs);
  if (!(await permits.take({ group, holder, endsAt }, { max, now }))) throw rejection();
  try {
    return await call();
  } finally {
    await permits.free({ group, holder });
  }
}
