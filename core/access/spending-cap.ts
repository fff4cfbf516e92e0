import * as z from 'zod';
import type { Principal } from './authentication.ts';
import type { SpendingLimits } from './spending-limits.ts';

const usd = z.number().min(0);

/** What the jobs of an owner, or of one API key and the keys below it, may cost together. */
export const spendingCapSchema = z.object({
  /** Unset: the cap of the owner. */
  keyId: z.string().optional(),
  /** Of the jobs that are created in one UTC day, in one UTC month. */
  usdPerDay: usd.optional(),
  usdPerMonth: usd.optional(),
});

export type SpendingCap = z.output<typeof spendingCapSchema>;

/**
 * The caps of a job that a caller submits: that of its owner, and those of its key and of the keys above it. A key with the
 * limits of the key that created it has no cap of its own, since its jobs count for the other key.
 */
export function spendingCapsOf(limits: SpendingLimits, principal: Principal): SpendingCap[] {
  const keys = principal.caller === 'key' ? [...(principal.ancestors ?? []), principal.key] : [];
  const own = keys.filter(({ limits: { usdPerDay, usdPerMonth } }, n) => {
    const parent = keys[n - 1]?.limits;
    return parent?.usdPerDay !== usdPerDay || parent?.usdPerMonth !== usdPerMonth;
  });
  const ofKeys = own.map((key) => ({ keyId: key.keyId, ...capOf(key.limits) }));
  return [capOf(limits), ...ofKeys].filter(
    ({ usdPerDay, usdPerMonth }) => usdPerDay !== undefined || usdPerMonth !== undefined,
  );
}

function capOf({ usdPerDay, usdPerMonth }: SpendingLimits): SpendingCap {
  return {
    usdPerDay,
    usdPerMonth,
  };
}
