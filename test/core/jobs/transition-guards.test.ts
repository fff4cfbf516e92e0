import { describe, expect, it } from 'vitest';
import { redeliver, resumeDelivery, settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import { durations } from '../../../core/jobs/durations.ts';
import type { JobChange } from '../../../core/jobs/guard.ts';
import { type JobRecord, jobRecordSchema } from '../../../core/jobs/record.ts';
import { deleteJob, markSwept, markTombstoneSwept } from '../../../core/jobs/removal-transitions.ts';
import { abandon, cancel, complete, failOrReject } from '../../../core/jobs/termination.ts';
import { claim, create, heartbeat, requeue, resend } from '../../../core/jobs/transitions.ts';
import { guardHolds } from '../../../lab/simulation/memory/guard-holds.ts';
import {
  aCancelledJob,
  aCompletedJob,
  aFailedJob,
  aRejectedJob,
  withSettledDelivery,
} from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, aRequest, later, urlSecret } from '../../builders/jobs/jobs.ts';

const error = { code: 'TRANSCODE_ERROR', message: 'It stopped.', stage: 'transcoding', retryable: true } as const;
const ending = { now: later(9_000), webhookTarget: null, deliveryId: 'delivery-9' };
const result = { files: {}, filesExpireAt: later(86_400_000).toISOString() };
const tombstone = deleteJob(aCancelledJob(), later(90_000)).job;

/** One record of each kind, under the same id. */
const jobId = aCancelledJob().jobId;
const records = {
  nothing: undefined,
  queued: aQueuedJob({ jobId }),
  processing: aProcessingJob({ jobId }),
  'completed, delivery pending': aCompletedJob(),
  'completed, delivered': withSettledDelivery(aCompletedJob(), 'delivered'),
  failed: aFailedJob(),
  rejected: aRejectedJob(),
  cancelled: aCancelledJob(),
  deleted: tombstone,
} satisfies Record<string, JobRecord | undefined>;

type Kind = keyof typeof records;

/** Each transition from the record that its writer read, and the kinds of stored record that its guard accepts. */
const transitions: [name: string, change: JobChange, over: Kind[]][] = [
  ['create', create({ ownerId: 'owner-1', jobId, request: aRequest, urlSecret, now: later(0) }), ['nothing']],
  ['claim', claim(records.queued, 'lease-9', later(2_000)), ['queued']],
  ['resend', resend(records.queued, later(300_000)), ['queued']],
  ['cancel while queued', cancel(records.queued, ending), ['queued']],
  ['abandon while queued', abandon(records.queued, error, ending), ['queued']],
  ['heartbeat', heartbeat(records.processing, { stage: 'probing', progress: 10, now: later(3_000) }), ['processing']],
  ['requeue', requeue(records.processing, later(41_000)), ['processing']],
  ['complete', complete(records.processing, result, ending), ['processing']],
  ['fail', failOrReject(records.processing, { state: 'failed', error }, ending), ['processing']],
  ['reject', failOrReject(records.processing, { state: 'rejected', error }, ending), ['processing']],
  ['cancel while processing', cancel(records.processing, ending), ['processing']],
  ['abandon while processing', abandon(records.processing, error, ending), ['processing']],
  [
    'settle a delivery',
    settleDelivery(aCompletedJob(), 'delivery-1', 'delivered'),
    ['completed, delivery pending', 'failed', 'rejected', 'cancelled'],
  ],
  ['resume a delivery', resumeDelivery(aCompletedJob(), later(90_000)), ['completed, delivery pending']],
  [
    'redeliver',
    redeliver(records['completed, delivered'], {
      now: later(90_000),
      webhookTarget: 'https://a.example/',
      deliveryId: 'delivery-2',
    }),
    ['completed, delivered'],
  ],
  ['sweep', markSwept(records['completed, delivered'], later(0)), ['completed, delivered']],
  ['delete', deleteJob(aCompletedJob(), later(90_000)), ['completed, delivery pending']],
  ['sweep what was deleted', markTombstoneSwept(tombstone, later(90_000)), ['deleted']],
];

const pairs = transitions.flatMap(([name, change, over]) =>
  (Object.keys(records) as Kind[]).map((kind) => ({ name, change, kind, legal: over.includes(kind) })),
);

describe('a transition', () => {
  it.each(pairs.filter(({ legal }) => legal))('$name is written over a job that is $kind', ({ change, kind }) => {
    expect(guardHolds(change.guard, records[kind])).toBe(true);
  });

  it.each(pairs.filter(({ legal }) => !legal))('$name is rejected if the job is $kind', ({ change, kind }) => {
    expect(guardHolds(change.guard, records[kind])).toBe(false);
  });

  it.each(transitions)('%s returns a valid record, with no field of another state', (_, { job }) => {
    expect(jobRecordSchema.parse(job)).toEqual(job);
  });

  it.each(transitions)('%s keeps the first check of a job only with the time that its creation set', (_, { job }) => {
    const firstCheck = job.state === 'deleted' || !job.isFirstCheck ? undefined : job.dueAt;
    expect([undefined, later(durations.resendAfterMs).toISOString()]).toContain(firstCheck);
  });

  it.each(transitions)("%s does not change the job's key", (_, { job }) => {
    expect({ ownerId: job.ownerId, jobId: job.jobId }).toEqual({ ownerId: 'owner-1', jobId });
  });
});
