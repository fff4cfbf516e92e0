import type { OwnerLimits } from '../../../core/access/owner-limits.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { UploadLedger } from '../../../core/uploads/ports.ts';
import { utcDay } from '../../../core/uploads/upload-day.ts';

export type OwnerUseDeps = {
  jobs: Pick<JobTable, 'count'>;
  ledger: Pick<UploadLedger, 'bytesOn'>;
  limits: OwnerLimits;
};

/** How much of its limits an owner uses. A count ends at its limit. */
export type OwnerUse = { unfinishedJobs: number; runningJobs: number; uploadBytesToday: number };

/** Reads the use of an owner. Jobs are counted by an index that may be seconds stale. */
export async function readOwnerUse(
  { jobs, ledger, limits }: OwnerUseDeps,
  ownerId: string,
  now: Date,
): Promise<OwnerUse> {
  const limit = limits.maxUnfinishedJobs;
  const [queued, runningJobs, uploadBytesToday] = await Promise.all([
    jobs.count({ ownerId, state: 'queued', limit }),
    jobs.count({ ownerId, state: 'processing', limit }),
    ledger.bytesOn(ownerId, utcDay(now)),
  ]);
  return { unfinishedJobs: Math.min(limit, queued + runningJobs), runningJobs, uploadBytesToday };
}
