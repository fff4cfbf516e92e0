import * as z from 'zod';
import type { Clock } from './jobs/ports.ts';

/** What counts under a limit, by its name. It leaves, or expires after a crash. */
export type LimitEntry = { limit: string; name: string; endsAt: Date };

/** Bounds how many entries a limit has at the same time. */
export type ConcurrencyLimits = {
  /** False if the limit has `max` other entries. To enter again moves the end. */
  enter(entry: LimitEntry, limit: { max: number; now: Date }): Promise<boolean>;
  /** False if it was not entered. */
  leave(entry: { limit: string; name: string }): Promise<boolean>;
};

export const limitSchema = z.object({
  /** The end of each entry in Unix milliseconds, by its name. */
  entries: z.record(z.string(), z.int()),
  /** Counts the writes. A write requires the version that was read. */
  version: z.int().min(0),
});

export type Limit = z.infer<typeof limitSchema>;

export const emptyLimit: Limit = { entries: {}, version: 0 };

/** Adds an entry, or moves its end; undefined if there are `max` others. Expired ones are removed. */
export function enterLimit(
  { entries, version }: Limit,
  { name, endsAt }: { name: string; endsAt: Date },
  { max, now }: { max: number; now: Date },
): Limit | undefined {
  const others = Object.entries(entries).filter(([other, end]) => other !== name && end > now.getTime());
  if (others.length >= max) return undefined;
  return { entries: { ...Object.fromEntries(others), [name]: endsAt.getTime() }, version: version + 1 };
}

/** Removes an entry; undefined if there is none of this name. */
export function leaveLimit({ entries, version }: Limit, name: string): Limit | undefined {
  if (!(name in entries)) return undefined;
  const { [name]: _, ...others } = entries;
  return { entries: others, version: version + 1 };
}

export type LimitDeps = { concurrency: ConcurrencyLimits; clock: Pick<Clock, 'now'>; newId: () => string };

/** At most `max` calls under a limit run at the same time; undefined: any number. A call whose function crashed stops counting after `expiryMs`. */
export type LimitRule = { limit: string; max: number | undefined; expiryMs: number };

/**
 * Makes a call that holds the function until a host of an owner responds, so that no owner can hold them all.
 *
 * @param refused answers a call above the limit, or throws
 */
export async function withinLimit<Result>(
  { concurrency, clock, newId }: LimitDeps,
  { limit, max, expiryMs }: LimitRule,
  { call, refused }: { call: () => Promise<Result>; refused: () => Result },
): Promise<Result> {
  if (max === undefined) return call();
  const now = clock.now();
  const name = newId();
  const endsAt = new Date(now.getTime() + expiryMs);
  if (!(await concurrency.enter({ limit, name, endsAt }, { max, now }))) return refused();
  try {
    return await call();
  } finally {
    await concurrency.leave({ limit, name });
  }
}
