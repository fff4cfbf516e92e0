import { JobError } from '@media-jobs/video/errors';
import type { SpendingCap } from '../access/owner-limits.ts';
import { retryConflicts } from '../async.ts';
import type { Clock, JobRef, JobTable } from '../jobs/ports.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import { LeaseLostError } from '../worker/worker-context.ts';
import { type CapUse, findExceededCap, findUsedUpCap, readCapUses, usesOfCap } from './cap-use.ts';
import {
  giveBack,
  maxReservations,
  reserveCost,
  reserveUnconfirmed,
  type SpendingCounters,
} from './spending-counter.ts';

export type ReserveCostDeps = { jobs: Pick<JobTable, 'get'>; clock: Pick<Clock, 'sleep'>; spending: SpendingCounters };

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

export type AdmitSubmissionDeps = { spending: SpendingCounters; clock: Clock };

/**
 * Reserves what a new job may cost in the counter of each of its caps, before its record is written. Returns the first limit
 * that leaves less; then nothing stays reserved.
 *
 * @param usd what the job may cost at most, as far as that is known. More than a cap counts as the whole cap
 */
export async function admitSubmission(
  deps: AdmitSubmissionDeps,
  ref: JobRef,
  { caps, usd }: { caps: readonly SpendingCap[]; usd: number },
): Promise<CapUse | undefined> {
  for (const [index, cap] of caps.entries()) {
    const exceeded = await admitUnderCap(deps, ref, { cap, usd });
    if (exceeded === undefined) continue;
    await withdrawSubmission(deps, ref, caps.slice(0, index));
    return exceeded;
  }
  return undefined;
}

/** Whether a job has a reservation under each of its caps. */
export async function hasReserved(
  { spending }: Pick<AdmitSubmissionDeps, 'spending'>,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<boolean> {
  const counters = await Promise.all(caps.map(({ keyId }) => spending.read({ ownerId, jobId, keyId })));
  return counters.every(({ reserved }) => reserved[jobId] !== undefined);
}

/** Gives back what was reserved for a job that is not created. */
export async function withdrawSubmission(
  { spending, clock }: AdmitSubmissionDeps,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  for (const { keyId } of caps) {
    const ref = { ownerId, jobId, keyId };
    await retryConflicts(
      async () => {
        const counter = await spending.read(ref);
        return counter.reserved[jobId] === undefined || spending.write(ref, giveBack(counter, jobId));
      },
      { clock, jobId },
    );
  }
}

async function admitUnderCap(
  { spending, clock }: AdmitSubmissionDeps,
  { ownerId, jobId }: JobRef,
  { cap, usd }: { cap: SpendingCap; usd: number },
): Promise<CapUse | undefined> {
  const { usdPerDay: day = Number.POSITIVE_INFINITY, usdPerMonth: month = Number.POSITIVE_INFINITY } = cap;
  const ref = { ownerId, jobId, keyId: cap.keyId };
  const limits = { day: Math.round(day * 1e9), month: Math.round(month * 1e9) };
  // At least one: a cap of 0 admits nothing.
  const cost = Math.max(1, Math.min(Math.ceil(usd * 1e9), limits.day, limits.month));
  const reservation = { cost, at: clock.now().toISOString(), limits };
  if (await spending.reserve(ref, reservation)) return undefined;
  const admitted = {};
  const result = await retryConflicts<CapUse | typeof admitted>(
    async () => {
      const counter = await spending.read(ref);
      if (counter.reserved[jobId] !== undefined) return admitted;
      const uses = usesOfCap(cap, counter, ref);
      const exceeded = findUsedUpCap(uses) ?? findExceededCap(uses, cost / 1e9);
      if (exceeded !== undefined) return exceeded;
      if (Object.keys(counter.reserved).length >= maxReservations) return admitted;
      return (await spending.write(ref, reserveUnconfirmed(counter, jobId, reservation))) && admitted;
    },
    { clock, jobId },
  );
  return 'limit' in result ? result : undefined;
}
