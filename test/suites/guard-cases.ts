import {
  listDelivery,
  recordDeliveryAttempt,
  redeliver,
  resumeDelivery,
  settleDelivery,
} from '../../core/jobs/delivery-transitions.ts';
import {
  delegateToExecution,
  extendExecutionCheck,
  recordExecution,
  requeueForSinglePass,
  requeueFromExecution,
} from '../../core/jobs/execution-transitions.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import type { JobIn, JobRecord, TerminalJob } from '../../core/jobs/record.ts';
import { deleteJob, markSwept, markTombstoneSwept } from '../../core/jobs/removal-transitions.ts';
import { abandon, cancel, complete, failOrReject } from '../../core/jobs/termination.ts';
import { claim, heartbeat, postpone, requeue, resend } from '../../core/jobs/transitions.ts';
import { aCancelledJob, aFailedJob, withSettledDelivery } from '../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../builders/jobs/jobs.ts';

const error = { code: 'WORKER_LOST', message: 'It is lost.', stage: 'transcoding', retryable: true } as const;
const ending = { now: later(60_000), webhookTarget: null, deliveryId: 'delivery-9' };
const result = { files: {}, filesExpireAt: later(86_400_000).toISOString() };
const moment = later(50_000);
const jobId = aJobId();

/** A write based on a record that was read, and the later versions of the record that make the table reject it. */
export type GuardCase = {
  name: string;
  read: JobRecord;
  change: JobChange;
  rejectedOver: [what: string, since: JobRecord][];
};

type Since = [what: string, since: JobRecord];

const moved = (read: JobRecord): Since => [
  'a version that has moved on',
  { ...read, dueAt: later(777_000).toISOString() },
];
const written = (read: JobIn<'processing'>): Since => [
  'a version that its worker has written without moving dueAt',
  { ...read, updatedAt: later(777_000).toISOString() },
];
/** Its `dueAt` equals that of the record, which can happen by chance. */
const ended = (read: JobRecord): Since => [
  'a job that ended since',
  { ...aFailedJob({ ownerId: read.ownerId, jobId }), ...(read.dueAt && { dueAt: read.dueAt }) },
];
const deleted = (read: JobRecord): Since => {
  const { job } = deleteJob(aCancelledJob({ ownerId: read.ownerId, jobId }), moment);
  return ['what was deleted since', { ...job, ...(read.dueAt && { dueAt: read.dueAt }) }];
};
const otherLease = (read: JobIn<'processing'>): Since => ["another worker's lease", { ...read, leaseId: 'lease-2' }];
const recorded = (read: JobIn<'processing'>): Since => [
  'what a part noted since',
  { ...read, chunkProgress: { ...read.chunkProgress, 1: 30 }, progressVersion: 2 },
];
const otherDelivery = (read: TerminalJob): Since => [
  'another pending delivery',
  { ...read, pendingDelivery: { id: 'delivery-0', starts: 0, redelivery: true } },
];

/** Every transition of an unfinished job. */
export function unfinishedCases(ownerId: string): GuardCase[] {
  const queued = aQueuedJob({ ownerId, jobId });
  const processing = aProcessingJob({ ownerId, jobId });
  const fromQueued = (name: string, change: JobChange) => ({
    name,
    read: queued,
    change,
    rejectedOver: [ended(queued), moved(queued)],
  });
  const fromProcessing = (name: string, change: JobChange, ...more: Since[]) => ({
    name,
    read: processing,
    change,
    rejectedOver: [ended(processing), ...more],
  });
  const beat = heartbeat(processing, { stage: 'probing', progress: 1, now: moment });
  return [
    fromQueued('a claim', claim(queued, 'lease-9', moment)),
    fromQueued('a resend', resend(queued, moment)),
    fromQueued('a cancel', cancel(queued, ending)),
    fromQueued('giving up a queued job', abandon(queued, error, ending)),
    fromQueued('postponing', postpone(queued, moment)),
    fromProcessing('a requeue', requeue(processing, moment), moved(processing), written(processing)),
    fromProcessing('a cancel of a worker', cancel(processing, ending), moved(processing), written(processing)),
    fromProcessing(
      'giving up a lost worker',
      abandon(processing, error, ending),
      moved(processing),
      written(processing),
    ),
    fromProcessing('a heartbeat', beat, moved(processing), written(processing), otherLease(processing)),
    fromProcessing('a completion', complete(processing, result, ending), otherLease(processing)),
    fromProcessing('a failure', failOrReject(processing, { state: 'failed', error }, ending), otherLease(processing)),
  ];
}

/** Every transition of a job that is encoded in chunks. */
export function parallelCases(ownerId: string): GuardCase[] {
  const claimed = aProcessingJob({ ownerId, jobId });
  const named = recordExecution(claimed, { execution: { name: 'parallel-1', taskCount: 3 }, now: moment });
  const left = delegateToExecution(named.job, moment);
  const read: JobIn<'processing'> = { ...left.job, chunkProgress: { 0: 10 }, progressVersion: 1 };
  const from = (name: string, change: JobChange, ...more: Since[]) => ({
    name,
    read,
    change,
    rejectedOver: [ended(read), recorded(read), ...more],
  });
  const before = (name: string, over: JobIn<'processing'>, change: JobChange) => ({
    name,
    read: over,
    change,
    rejectedOver: [ended(over), moved(over), written(over), otherLease(over)],
  });
  return [
    before('handing over', claimed, named),
    before('leaving a job to its machine', named.job, left),
    {
      name: 'finding its machine running before any note',
      read: named.job,
      change: extendExecutionCheck(named.job, moment),
      rejectedOver: [ended(named.job)],
    },
    from('finding its machine running', extendExecutionCheck(read, moment), moved(read)),
    from('giving parts back', requeueFromExecution(read, moment), moved(read), written(read), otherLease(read)),
    from('falling back to one piece', requeueForSinglePass(read, 'No chunk', moment), moved(read), otherLease(read)),
    from('a requeue of parts', requeue(read, moment), moved(read)),
    from('a cancel of parts', cancel(read, ending), moved(read)),
    from('giving up parts that were lost', abandon(read, error, ending), moved(read)),
    from('postponing parts', postpone(read, moment), moved(read)),
    from('a failure of parts', failOrReject(read, { state: 'failed', error }, ending), otherLease(read)),
  ];
}

/** Every transition of a job that has ended. */
export function endedCases(ownerId: string): GuardCase[] {
  const pending = aFailedJob({ ownerId, jobId, sweepAt: later(99_000).toISOString() });
  const unheard = { ...pending, webhookTarget: null };
  const over = { ...withSettledDelivery(pending, 'abandoned'), dueAt: later(99_000).toISOString() };
  const tombstone = deleteJob(aCancelledJob({ ownerId, jobId }), moment).job;
  const request = { now: moment, webhookTarget: 'https://a.example/', deliveryId: 'delivery-2' };
  const note = { deliveryId: 'delivery-1', nextDelayMs: 0, now: moment };
  const from = (name: string, read: JobRecord, change: JobChange, ...rejectedOver: Since[]) => ({
    name,
    read,
    change,
    rejectedOver,
  });
  return [
    from('noting an attempt', pending, recordDeliveryAttempt(pending, note), moved(pending), otherDelivery(pending)),
    from(
      'settling a delivery',
      pending,
      settleDelivery(pending, 'delivery-1', 'delivered'),
      deleted(pending),
      otherDelivery(pending),
    ),
    from('listing a delivery', pending, listDelivery(pending, moment), deleted(pending), moved(pending)),
    from('resuming a delivery', pending, resumeDelivery(pending, moment), deleted(pending), moved(pending)),
    from('a redelivery', over, redeliver(over, request), deleted(over), moved(over), otherDelivery(over)),
    from('a first delivery after all', unheard, redeliver(unheard, request), deleted(unheard), otherDelivery(unheard)),
    from('a sweep', over, markSwept(over, later(0)), deleted(over), moved(over)),
    from('a deletion', pending, deleteJob(pending, moment), deleted(pending), moved(pending)),
    from('a sweep of what was deleted', tombstone, markTombstoneSwept(tombstone, moment), moved(tombstone)),
  ];
}
