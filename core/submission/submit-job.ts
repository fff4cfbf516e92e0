import type { Principal } from '../access/authentication.ts';
import type { SpendingLimits } from '../access/key-record.ts';
import {
  limitExceeded,
  lowerLimit,
  type OwnerLimits,
  type SpendingCap,
  spendingCapsOf,
} from '../access/owner-limits.ts';
import type { AppError } from '../errors.ts';
import { assertSameBody, type Reservation, type Reservations, reservationFor } from '../idempotency.ts';
import type { ContentKey } from '../jobs/content-key.ts';
import { wakeWorker } from '../jobs/job-queue.ts';
import type { MetadataIndex } from '../jobs/metadata-index.ts';
import type { Clock, JobRef, JobTable, TranscodeQueue } from '../jobs/ports.ts';
import { batchJobsQueue, limitOfBatches, type QueueName, queueNames } from '../jobs/queues.ts';
import type { JobIn, JobRecord } from '../jobs/record.ts';
import { create } from '../jobs/transitions.ts';
import { countQueued, processingJobs, type UnfinishedJobsDeps } from '../jobs/unfinished-jobs.ts';
import { usageCaller } from '../jobs/usage.ts';
import { admitSubmission, hasReserved, withdrawSubmission } from '../spending/reserve-cost.ts';
import type { SpendingCounters } from '../spending/spending-counter.ts';

export type SubmitJobDeps = UnfinishedJobsDeps & {
  jobs: JobTable;
  metadataIndex: Pick<MetadataIndex, 'add'>;
  reservations: Reservations;
  queue: TranscodeQueue;
  /** Receives the error of a message that was not sent: reconcile sends it. */
  onSendFailed: (ref: JobRef, cause: unknown) => void;
  clock: Clock;
  newJobId: (createdAt: Date) => string;
  randomBytes: (size: number) => Uint8Array;
  spending: SpendingCounters;
  /** Dollars of a minute of compute: what a job without `maxCostUsd` reserves under its caps. */
  minuteUsd: number;
  limits: Pick<OwnerLimits, 'maxUnfinishedJobs' | 'maxRunningJobs'> & SpendingLimits;
};

export type KeyedRequest = {
  principal: Principal;
  idempotencyKey: string | undefined;
  /** The body that the idempotency key is bound to: the raw request body; for a retry, the id of the retried job. */
  keyedBody: unknown;
  /** How long the idempotency key is reserved; by default a day. */
  keyLifetimeMs?: number;
};

export type Submission = KeyedRequest &
  Pick<
    Parameters<typeof create>[0],
    'request' | 'preset' | 'authorKeyId' | 'retryOf' | 'destination' | 'unpublished' | 'completedSteps' | 'batch'
  > & {
    /** The content key of the job, where its stream is encrypted. */
    contentKeyOf: (ref: JobRef) => Promise<ContentKey | undefined>;
  };

/** Everything of the response but its body. `stored`: the record that an earlier request has made. */
export type Submitted = {
  job: JobIn<'queued'>;
  stored?: JobRecord | undefined;
  response: { status: 201; headers: Record<string, string> };
};

/**
 * Writes a job's record, after the entries that find it by its metadata, and sends its message. The limits are checked, and money is reserved under the caps, before an
 * idempotency key is reserved, so that a rejected request leaves nothing. The key is reserved for the job's id before the record is written, so that a repeated
 * request completes the same job after a crash or an outage.
 */
export async function submitJob(deps: SubmitJobDeps, submission: Submission): Promise<Submitted> {
  const { jobs, queue, clock } = deps;
  const { principal, keyedBody: _, keyLifetimeMs: __, contentKeyOf, idempotencyKey, ...requestedJob } = submission;
  const { ownerId } = principal;
  const now = clock.now();
  const newJobId = deps.newJobId(now);
  const requested = requestedReservation(submission, newJobId, now);
  const spendingCaps = spendingCapsOf(deps.limits, principal);
  const rejection =
    (await exceededUnfinishedJobs(deps, submission)) ??
    (await exceededCap(deps, submission, { jobId: newJobId, caps: spendingCaps }));
  if (rejection !== undefined && (await findAcceptedJob(deps, submission)) === undefined) throw rejection;
  const { jobId, createdAt, replayed } =
    requested === undefined
      ? { jobId: newJobId, createdAt: now, replayed: false }
      : await reserveJobId(deps, requested, now);
  if (replayed) await withdrawSubmission(deps, { ownerId, jobId: newJobId }, spendingCaps);
  const { job, guard } = create({
    ...requestedJob,
    ownerId,
    jobId,
    urlSecret: Buffer.from(deps.randomBytes(32)).toString('base64url'),
    contentKey: await contentKeyOf({ ownerId, jobId }),
    spendingCaps,
    caller: usageCaller(principal),
    createdAt,
    now,
  });
  const { metadata = {} } = job.request;
  if (Object.keys(metadata).length > 0) await deps.metadataIndex.add({ ownerId, jobId, metadata });
  const result = await jobs.write({ job, guard });
  if (!result.written && idempotencyKey === undefined) throw new Error(`A job with the new id ${jobId} exists already`);
  // A replay finds the job written. While the job is queued, its message may not have been sent yet.
  if (result.written || result.current?.state === 'queued')
    await wakeWorker(queue, job).catch((cause: unknown) => deps.onSendFailed(job, cause));
  const headers = { location: `/api/v1/jobs/${job.jobId}`, ...(replayed ? { 'idempotent-replayed': 'true' } : {}) };
  return { job, stored: result.written ? undefined : result.current, response: { status: 201, headers } };
}

/**
 * The rejection of a job above the owner's limit of unfinished jobs. It counts index entries and records, so no crash can
 * make the count wrong; jobs of the last second may be missing in it. Processing jobs are read only near the limit.
 */
async function exceededUnfinishedJobs(
  deps: SubmitJobDeps,
  { principal, batch }: Submission,
): Promise<AppError | undefined> {
  const { ownerId } = principal;
  const { limits } = deps;
  const lowest = lowerLimit(limits, principal, 'maxUnfinishedJobs');
  const value = batch === undefined ? lowest : limitOfBatches(lowest);
  if (value === Number.POSITIVE_INFINITY) return undefined;
  const count = (queues: readonly QueueName[]) => countQueued(deps, { ownerId, limit: value, queues });
  const others = await count(queueNames.filter((queue) => queue !== batchJobsQueue));
  // An owner has no more jobs of batches than their share, so that these are counted near the limit only.
  const maxOfBatches = limitOfBatches(limits.maxUnfinishedJobs ?? Number.POSITIVE_INFINITY);
  if (others + maxOfBatches + limits.maxRunningJobs < value) return undefined;
  const queued = others + (await count([batchJobsQueue]));
  if (queued + limits.maxRunningJobs < value) return undefined;
  const use = queued + (await processingJobs(deps, { ownerId })).length;
  if (use < value) return undefined;
  return limitExceeded(
    { limit: 'maxUnfinishedJobs', value, use, retryAfterSeconds: 60 },
    `${value} jobs are queued or processing, which is the limit. Wait until some have ended, or cancel some.`,
  );
}

/**
 * The rejection of a job of which a cap leaves too little; otherwise its cost is reserved. A replay reserves nothing. Without
 * caps nothing is read.
 */
async function exceededCap(
  deps: SubmitJobDeps,
  { request, ...submission }: Submission,
  { jobId, caps }: { jobId: string; caps: readonly SpendingCap[] },
): Promise<AppError | undefined> {
  if (caps.length === 0) return undefined;
  const { ownerId } = submission.principal;
  const earlier = await findReservation(deps, submission);
  const earlierRef = earlier && { ownerId, jobId: earlier.resourceId };
  if (earlierRef !== undefined && (await deps.jobs.get(earlierRef)) !== undefined) return undefined;
  const usd = request.maxCostUsd ?? deps.minuteUsd;
  const exceeded = await admitSubmission(deps, { ownerId, jobId }, { caps, usd });
  if (exceeded === undefined) return undefined;
  // The request that reserved the key died before it wrote the record: its money is that of this job.
  if (earlierRef !== undefined && (await hasReserved(deps, earlierRef, caps))) return undefined;
  const { limit, value, use, spent, endsAt } = exceeded;
  const left = `Jobs of this ${limit === 'usdPerDay' ? 'day' : 'month'} (UTC) have cost $${spent.toFixed(6)} and reserved $${(use - spent).toFixed(6)} of the limit of $${value}, which leaves less than $${usd.toFixed(6)}`;
  if (spent + Math.min(usd, value) <= value && spent < value) {
    const message = `${left}. Wait until some have ended, or request a lower maxCostUsd.`;
    return limitExceeded({ limit, value, use, retryAfterSeconds: 60 }, message);
  }
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - deps.clock.now().getTime()) / 1000));
  return limitExceeded(
    { limit, value, use, retryAfterSeconds },
    `${left}. Wait until ${endsAt.toISOString()}, request a lower maxCostUsd, or have the limit raised.`,
  );
}

function requestedReservation(
  { principal: { ownerId }, idempotencyKey: key, keyedBody: body, keyLifetimeMs: lifetimeMs }: KeyedRequest,
  jobId: string,
  now: Date,
): Reservation | undefined {
  return key === undefined ? undefined : reservationFor({ ownerId, key, body, resourceId: jobId, now, lifetimeMs });
}

/**
 * The job that an earlier request with the same key created, also if it is deleted. A replay of that request adds no job, so
 * neither a limit nor a missing resource rejects it.
 *
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function findAcceptedJob(deps: SubmitJobDeps, request: KeyedRequest): Promise<JobRecord | undefined> {
  const stored = await findReservation(deps, request);
  return stored && deps.jobs.get({ ownerId: stored.ownerId, jobId: stored.resourceId });
}

/** The reservation of an earlier request with the same idempotency key. Throws AppError IDEMPOTENCY_KEY_REUSED. */
async function findReservation(
  { reservations, clock, newJobId }: SubmitJobDeps,
  request: KeyedRequest,
): Promise<Reservation | undefined> {
  const now = clock.now();
  const requested = requestedReservation(request, newJobId(now), now);
  if (requested === undefined) return undefined;
  const stored = await reservations.find(requested, now);
  if (stored !== undefined) assertSameBody(stored, requested);
  return stored;
}

type JobIdentity = { jobId: string; createdAt: Date; replayed: boolean };

/** Reserves the key, or finds the job for which an earlier request has reserved it. */
async function reserveJobId({ reservations }: SubmitJobDeps, requested: Reservation, now: Date): Promise<JobIdentity> {
  const reservation = await reservations.reserve(requested, now);
  assertSameBody(reservation, requested);
  return {
    jobId: reservation.resourceId,
    createdAt: new Date(reservation.createdAt),
    replayed: reservation.resourceId !== requested.resourceId,
  };
}
