import type { OwnerLimits } from '../../core/access/owner-limits.ts';
import { countQueued, processingJobs, type UnfinishedJobsDeps } from '../../core/jobs/unfinished-jobs.ts';
import type { UploadLedger } from '../../core/uploads/ports.ts';
import { utcDay } from '../../core/uploads/upload-day.ts';

export type OwnerUseDeps = UnfinishedJobsDeps & {
  ledger: Pick<UploadLedger, 'bytesOn'>;
  limits: OwnerLimits;
};

/** Bounds the count of the queued jobs of an owner without a limit. */
const maxCounted = 100_000;

/** How much of its limits an owner uses. A count ends at its limit. */
export type OwnerUse = { unfinishedJobs: number; runningJobs: number; uploadBytesToday: number };

/** Reads the use of an owner. Queued jobs are counted by an index that may be seconds stale. */
export async function readOwnerUse(
  { jobs, slots, ledger, limits }: OwnerUseDeps,
  ownerId: string,
  now: Date,
): Promise<OwnerUse> {
  const limit = limits.maxUnfinishedJobs ?? maxCounted;
  const [queued, { length: runningJobs }, uploadBytesToday] = await Promise.all([
    countQueued({ jobs }, { ownerId, limit }),
    processingJobs({ jobs, slots }, { ownerId }),
    ledger.bytesOn(ownerId, utcDay(now)),
  ]);
  return { unfinishedJobs: Math.min(limit, queued + runningJobs), runningJobs, uploadBytesToday };
}
