import * as z from 'zod';
import type { Principal } from './authentication.ts';
import type { SpendingLimits } from './key-limits.ts';
import type { KeyGrant } from './key-record.ts';

const usd = z.number().min(0);

/** What the jobs of an owner, or of one API key and the keys that it created, may cost together. */
export const spendingCapSchema = z.object({
  /** Unset: the cap of the owner. */
  keyId: z.string().optional(),
  /** Of the jobs that are created in one UTC day, in one UTC month. */
  usdPerDay: usd.optional(),
  usdPerMonth: usd.optional(),
});

export type SpendingCap = z.output<typeof spendingCapSchema>;

/**
 * The caps of a job that a caller submits: that of its owner, and those of its key and of the key that created it. A key with the
 * limits of the key that created it has no cap of its own, since its jobs count for the other key.
 */
export function spendingCapsOf(limits: SpendingLimits, principal: Principal): SpendingCap[] {
  const ofKeys = keysWithCaps(principal).map((key) => ({ keyId: key.keyId, ...capOf(key.limits) }));
  return [capOf(limits), ...ofKeys].filter(
    ({ usdPerDay, usdPerMonth }) => usdPerDay !== undefined || usdPerMonth !== undefined,
  );
}

function keysWithCaps(principal: Principal): KeyGrant[] {
  if (principal.caller === 'session') return [];
  const { key, parent } = principal;
  if (parent === undefined) return [key];
  const { usdPerDay, usdPerMonth } = parent.limits;
  const hasItsOwn = key.limits.usdPerDay !== usdPerDay || key.limits.usdPerMonth !== usdPerMonth;
  return hasItsOwn ? [parent, key] : [parent];
}

function capOf({ usdPerDay, usdPerMonth }: SpendingLimits): SpendingCap {
  return {
    usdPerDay,
    usdPerMonth,
  };
}
