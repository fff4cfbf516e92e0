import { describe, expect, it } from 'vitest';
import { dueKind } from '../../../core/jobs/durations.ts';
import { mayWaitForHost, requeueForHost, waitsForHost } from '../../../core/jobs/execution-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { abandon, cancel, complete, failOrReject } from '../../../core/jobs/termination.ts';
import { claim, create, heartbeat, mayRequeue, postpone, requeue, resend } from '../../../core/jobs/transitions.ts';
import { guardHolds } from '../../../lab/simulation/memory/guard-holds.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, aRequest, later, urlSecret } from '../../builders/jobs/jobs.ts';

const minute = 60_000;
const at = (milliseconds: number) => later(milliseconds).toISOString();
const error = {
  code: 'TRANSCODE_ERROR',
  message: 'It stopped.',
  stage: 'transcoding',
  retryable: true,
} as const;
const ending = { now: later(10 * minute), webhookTarget: 'https://a.example/', deliveryId: 'delivery-1' };
const result = { files: {}, filesExpireAt: at(100 * minute) };

describe('an accepted job', () => {
  it('is due after 50 s, when reconcile sends its message again', () => {
    const { job } = create({
      ownerId: 'owner-1',
      jobId: 'job-1',
      request: aRequest,
      urlSecret,
      now: later(0),
    });
    expect(job.dueAt).toBe(at(50_000));
  });

  it('has its message sent again after waits that double up to an hour', () => {
    const waits: number[] = [];
    let job = aQueuedJob();
    for (let sent = 0; sent < 8; sent++) {
      const due = Date.parse(job.dueAt);
      job = resend(job, new Date(due)).job;
      waits.push((Date.parse(job.dueAt) - due) / 1_000);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 3_600, 3_600]);
  });
});

describe('a claim', () => {
  it('counts the attempt', () => {
    const { job } = claim(aQueuedJob(), 'lease-1', later(7_000));
    expect(job).toMatchObject({ attempt: 1, leaseId: 'lease-1', claimedAt: at(7_000) });
  });

  it('holds a new job until its first check, which stays listed where it was', () => {
    const { job } = claim(aQueuedJob(), 'lease-1', later(30_000));
    expect([job.dueAt, dueKind(job)]).toEqual([at(50_000), 'waiting']);
  });

  it('holds a job for 40 s if less than half of that is left until its first check, or it was requeued', () => {
    const late = claim(aQueuedJob(), 'lease-1', later(30_001)).job;
    expect([late.dueAt, dueKind(late)]).toEqual([at(70_001), 'running']);
    const again = claim(requeue(late, later(80_000)).job, 'lease-2', later(100_000)).job;
    expect([again.dueAt, dueKind(again)]).toEqual([at(140_000), 'running']);
  });

  it('keeps the time of the first start after a lost worker', () => {
    const again = claim(requeue(aProcessingJob(), later(minute)).job, 'lease-2', later(2 * minute)).job;
    expect(again).toMatchObject({ attempt: 2, startedAt: at(1_000), claimedAt: at(2 * minute) });
  });
});

describe('a heartbeat', () => {
  const beat = (progress: number, job = aProcessingJob()) =>
    heartbeat(job, { stage: 'transcoding', progress, now: later(20_000) }).job;

  it('renews the lease for 40 s once less than half of it is left', () => {
    const claimed = aProcessingJob();
    const beatAt = (ms: number) => heartbeat(claimed, { stage: 'transcoding', progress: 1, now: later(ms) }).job.dueAt;
    expect([beatAt(30_000), beatAt(30_001)]).toEqual([claimed.dueAt, at(70_001)]);
  });

  it('never lets progress fall', () => {
    expect(beat(20, beat(35)).progress).toBe(35);
  });

  it('never reaches 100 percent', () => {
    expect(beat(100).progress).toBe(99);
  });

  it('is rejected over a record that has changed: a delayed write cannot undo a later one', () => {
    const claimed = aProcessingJob();
    const heldUp = heartbeat(claimed, { stage: 'downloading', progress: 5, now: later(4_000) });
    const next = heartbeat(claimed, { stage: 'transcoding', progress: 50, now: later(6_000) });
    expect(guardHolds(heldUp.guard, next.job)).toBe(false);
  });
});

describe('a job whose worker was lost', () => {
  it.each<[string, Partial<JobIn<'processing'>> & { attempt: number }]>([
    ['three attempts in all', { attempt: 2 }],
    ['one more if an attempt ended because the job is long', { attempt: 3, hasWaitedForLimit: true }],
    ['as many as before after it waited for the host of its source', { attempt: 5, hostWaits: 3 }],
  ])('has %s', (_, last) => {
    const may = (attempt: number) => mayRequeue({ ...aProcessingJob(), ...last, attempt });
    expect([may(1), may(last.attempt), may(last.attempt + 1)]).toEqual([true, true, false]);
  });

  it('is requeued with the progress it had reached', () => {
    const { job } = requeue({ ...aProcessingJob(), progress: 60 }, later(minute));
    expect(job).toMatchObject({ state: 'queued', progress: 60, resends: 0, dueAt: at(110_000) });
    expect(job).not.toHaveProperty('leaseId');
  });

  it('is not requeued if its lease was renewed since the read', () => {
    const job = aProcessingJob();
    const renewed = heartbeat(job, { stage: 'transcoding', progress: 1, now: later(20_000) }).job;
    expect(guardHolds(requeue(job, later(minute)).guard, renewed)).toBe(false);
    expect(guardHolds(abandon(job, error, ending).guard, renewed)).toBe(false);
  });
});

describe('a job whose source is at a host that asks to come back later', () => {
  const waiting = (retryAfterMs: number, hostWaits?: number) =>
    requeueForHost({ ...aProcessingJob(), ...(hostWaits && { hostWaits }) }, { retryAfterMs, now: later(0) }).job;

  it('waits for as long as it asks, and reconcile sends a lost message', () => {
    expect(waiting(60_000)).toMatchObject({ state: 'queued', hostWaits: 1, notBefore: at(60_000) });
    expect(waiting(60_000).dueAt).toBe(at(60_000 + 50_000));
    expect(waitsForHost(waiting(60_000), later(59_999))).toBe(true);
    expect(waitsForHost(waiting(60_000), later(60_000))).toBe(false);
  });

  it('waits longer each time', () => {
    expect([0, 1, 4].map((waits) => waiting(0, waits).notBefore)).toEqual([2_000, 4_000, 32_000].map(at));
  });

  it('waits five times, for an hour at most', () => {
    const job = aProcessingJob();
    expect(mayWaitForHost({ ...job, hostWaits: 4 }, 60 * minute)).toBe(true);
    expect(mayWaitForHost({ ...job, hostWaits: 5 }, 1)).toBe(false);
    expect(mayWaitForHost(job, 60 * minute + 1)).toBe(false);
  });

  it('waits no more once it is claimed, or its message is sent again', () => {
    expect(claim(waiting(60_000), 'lease-2', later(2 * minute)).job).not.toHaveProperty('notBefore');
    expect(resend(waiting(60_000), later(2 * minute)).job).not.toHaveProperty('notBefore');
  });
});

describe('the delivery of an ended job', () => {
  const endAt = (ms: number) => complete(aProcessingJob(), result, { ...ending, now: later(ms) }).job;

  it('is due at the first check of the job, if that is 35 s ahead', () => {
    expect([endAt(15_000).dueAt, dueKind(endAt(15_000))]).toEqual([at(50_000), 'waiting']);
  });

  it('is otherwise due in a minute', () => {
    expect([endAt(15_001).dueAt, dueKind(endAt(15_001))]).toEqual([at(75_001), 'delivery']);
  });
});

describe('the end of a job', () => {
  const job = aProcessingJob();
  const second = { ...job, attempt: 2 };
  const ends = {
    completed: complete(job, result, ending).job,
    failed: failOrReject(job, { state: 'failed', error }, ending).job,
    rejected: failOrReject(job, { state: 'rejected', error }, ending).job,
    abandoned: abandon(job, error, ending).job,
    cancelled: cancel(job, ending).job,
  };

  it.each(Object.entries(ends))('%s: records the webhook target, and the delivery is due in a minute', (_, ended) => {
    expect(ended).toMatchObject({
      webhookTarget: 'https://a.example/',
      pendingDelivery: { id: 'delivery-1', starts: 0, redelivery: false },
      completedAt: at(10 * minute),
      dueAt: at(11 * minute),
    });
  });

  it('keeps the content key of a stream for a retry, which no completed job has', () => {
    const contentKey = { jobId: job.jobId, encrypted: 'sealed' };
    const encrypted = { ...job, contentKey };
    const kept = [
      failOrReject(encrypted, { state: 'failed', error }, ending),
      failOrReject(encrypted, { state: 'rejected', error }, ending),
      abandon(encrypted, error, ending),
      cancel(encrypted, ending),
    ];
    for (const { job: ended } of kept) expect(ended).toMatchObject({ contentKey });
    expect(complete(encrypted, result, ending).job).not.toHaveProperty('contentKey');
  });

  it('has 100 percent if completed, otherwise the percent it had reached', () => {
    const reached = { ...job, progress: 42 };
    expect(complete(reached, result, ending).job.progress).toBe(100);
    expect(cancel(reached, ending).job.progress).toBe(42);
  });

  it.each([
    ['completed in one attempt', ends.completed, undefined],
    ['completed in the second attempt', complete(second, result, ending).job, at(1_000 + 16 * minute)],
    ['rejected in one attempt: nothing was written yet', ends.rejected, undefined],
    [
      'rejected in the second attempt',
      failOrReject(second, { state: 'rejected', error }, ending).job,
      at(1_000 + 16 * minute),
    ],
    ['failed', ends.failed, at(1_000 + 16 * minute)],
    ['abandoned', ends.abandoned, at(1_000 + 16 * minute)],
    ['cancelled', ends.cancelled, at(1_000 + 16 * minute)],
    ['cancelled before any worker had it', cancel(aQueuedJob(), ending).job, undefined],
  ])('is followed by a sweep 16 min after the last claim if files may be left: %s', (_, ended, sweepAt) => {
    expect(ended.sweepAt).toBe(sweepAt);
  });
});

it.each([aQueuedJob(), aProcessingJob(), aCompletedJob()])(
  'a job that is $state is not postponed once another write has moved it',
  (job) => {
    const { guard } = postpone(job, later(minute));
    expect(guardHolds(guard, job)).toBe(true);
    expect(guardHolds(guard, { ...job, dueAt: at(99 * minute) })).toBe(false);
  },
);
