import type { SpendingCap } from '../access/spending-cap.ts';
import type { JobRef } from '../jobs/ports.ts';
import { type CapUse, usesOfCap } from './cap-use.ts';
import type { SpendingCounters } from './spending-counter.ts';

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
