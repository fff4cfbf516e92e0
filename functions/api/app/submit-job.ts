import type { Principal } from '../../../core/access/authentication.ts';
import { limitExceeded, lowerLimit, type OwnerLimits } from '../../../core/access/owner-limits.ts';
import { type SpendingCap, spendingCapsOf } from '../../../core/access/spending-cap.ts';
import type { SpendingLimits } from '../../../core/access/spending-limits.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import type { ContentKey } from '../../../core/jobs/content-key.ts';
import { assertSameBody, type Reservations, reservationFor } from '../../../core/jobs/idempotency.ts';
import type { Clock, JobRef, JobTable, TranscodeQueue } from '../../../core/jobs/ports.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { usageCaller } from '../../../core/jobs/usage-group.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { findUsedUpCap } from '../../../core/spending/cap-use.ts';
import type { SpendingCounters } from '../../../core/spending/spending-counter.ts';
import { readCapUses } from '../../spending/read-cap-uses.ts';
import { countQueued, processingJobs, type UnfinishedJobsDeps } from '../../waiting-line/unfinished-jobs.ts';

export type SubmitJobDeps = UnfinishedJobsDeps & {
  jobs: JobTable;
  reservations: Reservations;
  queue: TranscodeQueue;
  clock: Clock;
  newJobId: (createdAt: Date) => string;
  randomBytes: (size: number) => Uint8Array;
  spending: SpendingCounters;
  limits: Pick<OwnerLimits, 'maxUnfinishedJobs' | 'maxRunningJobs'> & SpendingLimits;
};

type NewJob = Parameters<typeof create>[0];

export type Submission = Pick<NewJob, 'request' | 'retryOf' | 'destination' | 'unpublished'> & {
  principal: Principal;
  /** The content key of the job, where its stream is encrypted. */
  contentKeyOf: (ref: JobRef) => Promise<ContentKey | undefined>;
  idempotencyKey: string | undefined;
  /** The body that the idempotency key is bound to: the raw request body; for a retry, the id of the retried job. */
  keyedBody: unknown;
};

type Submitted = { status: 201; headers: Record<string, string>; body: JobResource };

/**
 * Writes a job's record and sends its message. An idempotency key is reserved for the job's id first, so that a
 * repeated request completes the same job after a crash or an outage.
 */
export async function submitJob(deps: SubmitJobDeps, submission: Submission): Promise<Submitted> {
  const { jobs, queue, clock } = deps;
  const { principal, request, retryOf, destination, unpublished, contentKeyOf, idempotencyKey } = submission;
  const { ownerId } = principal;
  const now = clock.now();
  const { jobId, createdAt, replayed } = await reserveJobId(deps, submission, now);
  const spendingCaps = spendingCapsOf(deps.limits, principal);
  if (!replayed || (await jobs.get({ ownerId, jobId })) === undefined) {
    await Promise.all([
      assertMaySubmit(deps, principal),
      assertFreeCaps(deps, { ownerId, jobId }, spendingCaps),
    ]);
  }
  const { job, guard } = create({
    ownerId,
    jobId,
    request,
    urlSecret: Buffer.from(deps.randomBytes(32)).toString('base64url'),
    retryOf,
    destination,
    unpublished,
    contentKey: await contentKeyOf({ ownerId, jobId }),
    spendingCaps,
    caller: usageCaller(principal),
    createdAt,
    now,
  });
  const result = await jobs.write({ job, guard });
  if (!result.written && idempotencyKey === undefined) {
    throw new Error(`A job with the new id ${jobId} exists already`);
  }
  // A replay finds the job written. While the job is queued, its message may not have been sent yet.
  if (result.written || result.current?.state === 'queued') await queue.send(job);
  return {
    status: 201,
    headers: { location: locationOf(job), ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
    body: viewJob(job, {}),
  };
}

/**
 * Rejects a job above the owner's limit of unfinished jobs. It counts index entries and records, so no crash can make the
 * count wrong; jobs of the last second may be missing in it. Processing jobs are read only near the limit.
 */
async function assertMaySubmit(deps: SubmitJobDeps, principal: Principal): Promise<void> {
  const { ownerId } = principal;
  const { limits } = deps;
  const value = lowerLimit(limits, principal, 'maxUnfinishedJobs');
  const queued = await countQueued(deps, { ownerId, limit: value });
  if (queued + limits.maxRunningJobs < value) return;
  const use = queued + (await processingJobs(deps, { ownerId })).length;
  if (use < value) return;
  throw limitExceeded(
    { limit: 'maxUnfinishedJobs', value, use, retryAfterSeconds: 60 },
    `${value} jobs are queued or processing, which is the limit. Wait until some have ended, or cancel some.`,
  );
}

/** Rejects a job of which a cap is used up. Without caps it reads nothing. */
async function assertFreeCaps(
  { spending, clock }: SubmitJobDeps,
  ref: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  const usedUp = findUsedUpCap(await readCapUses(spending, ref, caps));
  if (usedUp === undefined) return;
  const { limit, value, use, endsAt } = usedUp;
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - clock.now().getTime()) / 1000));
  throw limitExceeded(
    { limit, value, use, retryAfterSeconds },
    `Jobs of this ${limit === 'usdPerDay' ? 'day' : 'month'} (UTC) have cost or reserved the limit of $${value}. Wait until ${endsAt.toISOString()}, or have the limit raised.`,
  );
}

type JobIdentity = { jobId: string; createdAt: Date; replayed: boolean };

async function reserveJobId(
  { reservations, newJobId }: SubmitJobDeps,
  { principal: { ownerId }, idempotencyKey: key, keyedBody: body }: Submission,
  now: Date,
): Promise<JobIdentity> {
  const jobId = newJobId(now);
  if (key === undefined) return { jobId, createdAt: now, replayed: false };
  const requested = reservationFor({ ownerId, key, body, jobId, now });
  const reservation = await reservations.reserve(requested, now);
  assertSameBody(reservation, requested);
  return {
    jobId: reservation.jobId,
    createdAt: new Date(reservation.createdAt),
    replayed: reservation.jobId !== jobId,
  };
}

/** The path of a job, for the `Location` header. */
function locationOf({ jobId }: { jobId: string }): string {
  return `/api/v1/jobs/${jobId}`;
}
