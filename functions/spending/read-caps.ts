import type { SpendingCap } from '../../core/access/spending-cap.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { type ExceededCap, findExceededCap, usesOfCap } from '../../core/spending/exceeded-cap.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';

/** The limits of each cap in the day and month of a job, with what is spent and reserved of them. */
export async function readUses(
  spending: SpendingCounters,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<ExceededCap[]> {
  const uses = await Promise.all(
    caps.map(async (cap) => {
      const counter = await spending.read({ ownerId, jobId, keyId: cap.keyId });
      return usesOfCap(cap, counter, { jobId });
    }),
  );
  return uses.flat();
}

/** The first limit of a job that is used up already. */
export async function findUsedUpCap(
  spending: SpendingCounters,
  ref: JobRef,
  caps: readonly SpendingCap[],
): Promise<ExceededCap | undefined> {
  return findExceededCap(await readUses(spending, ref, caps), 0);
}
