import { JobError } from '@media-jobs/video/errors';
import type { SpendingCap } from '../access/owner-limits.ts';
import { retryConflicts } from '../async.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import { LeaseLostError } from '../worker/lease.ts';
import { type CapUse, findExceededCap, findUsedUpCap, readCapUses, usesOfCap } from './cap-use.ts';
import { reserveCost, type SpendingCounters } from './spending-counter.ts';

export type ReserveCostDeps = {
  jobs: Pick<JobTable, 'get'>;
  clock: Pick<Clock, 'sleep'>;
  spending: SpendingCounters;
};

/**
 * Rejects a job before anything is downloaded for it, if one of its caps is used up.
 * @throws JobError `COST_LIMIT`
 */
export async function requireFreeCaps(spending: SpendingCounters, job: JobIn<'processing'>): Promise<void> {
  const usedUp = findUsedUpCap(await readCapUses(spending, job, job.spendingCaps ?? []));
  if (usedUp !== undefined) throw capExceeded(usedUp);
}

/**
 * Reserves what a job is expected to cost at most, in the counter of each of its caps, before anything is encoded.
 *
 * @throws JobError `COST_LIMIT` if one of them leaves less
 */
export async function reserveJobCost(deps: ReserveCostDeps, job: JobIn<'processing'>, usd: number): Promise<void> {
  for (const cap of job.spendingCaps ?? []) await reserveUnderCap(deps, { job, cap, usd });
}

async function reserveUnderCap(
  { jobs, clock, spending }: ReserveCostDeps,
  { job, cap, usd }: { job: JobIn<'processing'>; cap: SpendingCap; usd: number },
): Promise<void> {
  const { ownerId, jobId, leaseId } = job;
  const ref = { ownerId, jobId, keyId: cap.keyId };
  await retryConflicts(
    async () => {
      const counter = await spending.read(ref);
      // Read after the counter: if the job is ended and counted in between, the write has a conflict.
      if (!holdsLease(leaseId, await jobs.get(job))) throw new LeaseLostError(jobId);
      const exceeded = findExceededCap(usesOfCap(cap, counter, job), usd);
      if (exceeded !== undefined) throw capExceeded(exceeded, usd);
      return spending.write(ref, reserveCost(counter, jobId, Math.ceil(usd * 1e9)));
    },
    { clock, jobId },
  );
}

function capExceeded({ limit, value, use, endsAt }: CapUse, usd?: number): JobError {
  const estimate = usd === undefined ? '' : `, and this job is estimated to cost up to $${usd.toFixed(6)}`;
  const message =
    `The limit ${limit} is $${value}: $${use.toFixed(6)} are spent or reserved${estimate}. ` +
    `Retry the job from ${endsAt.toISOString()} on`;
  return new JobError('COST_LIMIT', message, { retryable: true });
}
