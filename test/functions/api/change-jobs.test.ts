import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { usageRefOf } from '../../../core/jobs/usage-counter.ts';
import { cancelJob } from '../../../functions/api/app/cancel-job.ts';
import { deleteJob } from '../../../functions/api/app/delete-job.ts';
import { retryJob } from '../../../functions/api/app/retry-job.ts';
import { countUsage } from '../../../functions/usage/count-usage.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { aVirtualClock } from '../../builders/system/virtual-clock.ts';
import { memoryJobStateMachine } from '../../memory/job-state-machine.ts';
import { memoryJobTable } from '../../memory/job-table.ts';
import { memoryReservations } from '../../memory/reservations.ts';
import { memorySettingsTable } from '../../memory/settings-table.ts';
import { memorySpendingCounters } from '../../memory/spending-counters.ts';
import { memoryUsageCounters } from '../../memory/usage-counters.ts';

const jobId = aJobId(1);
const ref = { ownerId: 'owner-1', jobId };

/** The routes that change one job. `before` runs after each read, before the write. */
async function aDesk(record: JobRecord, before?: (jobs: JobTable) => Promise<unknown>) {
  const table = memoryJobTable();
  await table.write({ job: record, guard: { absent: true } });
  const started: string[] = [];
  const sent: string[] = [];
  const clock = aVirtualClock(later(5_000));
  const jobs: JobTable = {
    ...table,
    write: async (change) => {
      await before?.(table);
      return table.write(change);
    },
  };
  const ending = {
    jobs,
    settings: memorySettingsTable(),
    deliveries: {
      send: async ({ deliveryId }: { deliveryId: string }) => void started.push(deliveryId),
    },
    clock,
    newId: () => 'delivery-9',
    pricedStage: { architecture: 'arm64' as const, memoryMb: 3008, retentionDays: 30 },
    onDeliveryStartFailed: () => {},
  };
  const usage = memoryUsageCounters();
  const spending = memorySpendingCounters();
  const parallel = memoryJobStateMachine();
  parallel.running.set('parallel-1', undefined);
  const broken = { send: false };
  const queue = {
    send: async ({ jobId: id }: { jobId: string }) => {
      if (broken.send) throw new Error('the queue failed');
      sent.push(id);
    },
  };
  let ids = 1;
  const newJobId = (createdAt: Date) => aJobId(++ids, createdAt);
  const limits = { maxUnfinishedJobs: 3 };
  const retrying = retryJob({
    jobs,
    reservations: memoryReservations(),
    spending,
    queue,
    clock,
    newJobId,
    randomBytes,
    limits,
  });
  const params = { id: jobId };
  return {
    started,
    sent,
    broken,
    list: async () => (await table.list({ ownerId: ref.ownerId, limit: 100 })).jobs,
    store: (job: JobRecord) => table.write({ job, guard: { absent: true } }),
    stored: (id = jobId) => table.get({ ...ref, jobId: id }),
    parallel,
    cancel: () => callRoute(cancelJob({ ...ending, parallel, onStopFailed: () => {} }), { params }),
    retry: (key?: string, id = jobId) =>
      callRoute(retrying, { params: { id }, headers: { 'idempotency-key': key } }),
    remove: () =>
      callRoute(deleteJob({ jobs, usage, spending, clock, onUsageFailure: () => {} }), { params }),
    usage,
    count: (ended: TerminalJob) => countUsage({ jobs, usage, spending }, ended),
  };
}

describe('cancelling', () => {
  it.each([
    ['queued', aQueuedJob({ jobId })],
    ['processing', aProcessingJob({ jobId })],
  ])('ends a %s job at once and starts its webhook', async (_, job) => {
    const { cancel, stored, started } = await aDesk(job);
    expect(await cancel()).toMatchObject({ status: 200, body: { jobId, state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled', completedAt: later(5_000).toISOString() });
    expect(started).toEqual(['delivery-9']);
  });

  it('stops the execution that encodes its chunks', async () => {
    const { cancel, parallel } = await aDesk(aParallelJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect([...parallel.running.keys()]).toEqual([]);
  });

  it('succeeds although the execution cannot be stopped: chunk tasks check the job', async () => {
    const { cancel, stored, parallel } = await aDesk(aParallelJob({ jobId }));
    parallel.stop = () => Promise.reject(new Error('Step Functions is away'));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('wins over concurrent chunk progress and keeps it', async () => {
    let notes = 0;
    const { cancel } = await aDesk(aParallelJob({ jobId }), async (jobs) => {
      if (notes++ >= 3) return;
      await jobs.recordChunkProgress({ ...ref, leaseId: 'lease-1', chunk: notes, percent: 100, ms: 900 });
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 73 } });
  });

  it('returns a job that is already cancelled without a second webhook', async () => {
    const { cancel, started } = await aDesk(aCancelledJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(started).toEqual([]);
  });

  it.each([aCompletedJob({ jobId }), aFailedJob({ jobId }), aRejectedJob({ jobId })])(
    'is an error for a $state job',
    async (job) => {
      const { cancel, stored } = await aDesk(job);
      await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
      expect(await stored()).toEqual(job);
    },
  );

  it('wins over a concurrent lease renewal', async () => {
    let beats = 0;
    const { cancel, stored } = await aDesk(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing' || beats++ >= 3) return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 30 + beats, now: later(beats) }));
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 33 } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('loses to a worker that completes concurrently', async () => {
    const { cancel, stored } = await aDesk(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      const ending = { now: later(4_000), webhookTarget: null, deliveryId: 'delivery-1' };
      await jobs.write(complete(job, { files: {}, filesExpireAt: later(9_000).toISOString() }, ending));
    });
    await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    expect(await stored()).toMatchObject({ state: 'completed' });
  });

  it('fails with UNAVAILABLE if the record keeps changing', async () => {
    let beats = 0;
    const { cancel } = await aDesk(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 1, now: later(++beats) }));
    });
    await expect(cancel()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('retrying', () => {
  it.each([aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'makes a new job of a $state one, and leaves it as it is',
    async (job) => {
      const { retry, stored, sent } = await aDesk(job);
      const { status, headers, body } = await retry();
      expect({ status, headers }).toEqual({
        status: 201,
        headers: { location: `/api/v1/jobs/${body.jobId}` },
      });
      expect(body).toMatchObject({ state: 'queued', retryOf: jobId, attempt: 0 });
      expect(await stored(body.jobId)).toMatchObject({ request: job.request, retryOf: jobId });
      expect(await stored()).toEqual(job);
      expect(sent).toEqual([body.jobId]);
    },
  );

  it.each([aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'keeps the content key of a $state job, which opens for the job that it was given with',
    async (job) => {
      const contentKey = { jobId: aJobId(7), encrypted: 'sealed' };
      const { retry, stored } = await aDesk({ ...job, contentKey });
      const { body } = await retry();
      expect(await stored(body.jobId)).toMatchObject({ retryOf: jobId, contentKey });
      expect(JSON.stringify(body)).not.toContain('sealed');
    },
  );

  it.each([aQueuedJob({ jobId }), aProcessingJob({ jobId }), aCompletedJob({ jobId })])(
    'is an error for a $state job',
    async (job) => {
      const { retry, sent } = await aDesk(job);
      await expect(retry()).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
      expect(sent).toEqual([]);
    },
  );
});

describe('retrying with an idempotency key', () => {
  it('makes one job of repeated and concurrent requests', async () => {
    const { retry, list } = await aDesk(aFailedJob({ jobId }));
    const answers = await Promise.all([retry('key-1'), retry('key-1'), retry('key-1')]);
    const again = await retry('key-1');
    expect(await list()).toHaveLength(2);
    expect(new Set([...answers, again].map(({ body }) => body.jobId)).size).toBe(1);
    expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    expect(again.body).toEqual(answers[0]?.body);
  });

  it('sends the message that an earlier attempt could not send', async () => {
    const { retry, sent, broken, list } = await aDesk(aFailedJob({ jobId }));
    broken.send = true;
    await expect(retry('key-1')).rejects.toThrow('the queue failed');
    broken.send = false;
    const { body } = await retry('key-1');
    expect([sent, (await list()).length]).toEqual([[body.jobId], 2]);
  });

  it('rejects a key that was used to retry another job', async () => {
    const { retry, store, list } = await aDesk(aFailedJob({ jobId }));
    const other = aJobId(9);
    await store(aFailedJob({ jobId: other }));
    await retry('key-1');
    await expect(retry('key-1', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list()).toHaveLength(3);
  });

  it('does not store the key of a rejected retry', async () => {
    const { retry, store } = await aDesk(aCompletedJob({ jobId }));
    await expect(retry('key-1')).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
    await store(aFailedJob({ jobId: aJobId(9) }));
    expect(await retry('key-1', aJobId(9))).toMatchObject({ status: 201 });
  });
});

describe('deleting', () => {
  it.each([
    aCompletedJob({ jobId }),
    aFailedJob({ jobId }),
    aRejectedJob({ jobId }),
    aCancelledJob({ jobId }),
  ])('leaves a tombstone of a $state job that is due for reconcile at once', async (job) => {
    const { remove, stored } = await aDesk(job);
    expect(await remove()).toEqual({ status: 204 });
    expect(await stored()).toMatchObject({ state: 'deleted', dueAt: later(5_000).toISOString() });
  });

  it.each([aQueuedJob({ jobId }), aProcessingJob({ jobId })])('is an error for a $state job', async (job) => {
    const { remove, stored } = await aDesk(job);
    await expect(remove()).rejects.toMatchObject({ code: 'JOB_NOT_TERMINAL' });
    expect(await stored()).toEqual(job);
  });

  it('subtracts the job from the usage, whether its delivery has ended or not', async () => {
    for (const usageCounted of [false, true]) {
      const caller = 'key-1';
      const ended = aCompletedJob({ jobId, caller, usageCounted: false });
      const { remove, count, usage } = await aDesk(ended, (table) =>
        table.write({ job: { ...ended, usageCounted }, guard: { state: 'completed' } }),
      );
      const counter = usageRefOf(ended);
      expect(counter.group).toEqual({ caller, recipe: 'compress' });
      await count(ended);
      expect(await usage.read(counter)).toMatchObject({
        jobs: { completed: 1 },
        mediaMs: 10_000,
        outputBytes: 1_250_000,
      });
      await remove();
      expect(await usage.read(counter)).toMatchObject({ jobs: { completed: 0 }, mediaMs: 0, outputBytes: 0 });
    }
  });

  it('succeeds if the usage cannot be written', async () => {
    const { remove, stored, usage } = await aDesk(aCompletedJob({ jobId, usageCounted: true }));
    usage.write = async () => {
      throw new Error('the table failed');
    };
    expect(await remove()).toEqual({ status: 204 });
    expect(await stored()).toMatchObject({ state: 'deleted', usage: { state: 'completed' } });
  });

  it('is NOT_FOUND the second time, in every route', async () => {
    const { remove, retry, cancel } = await aDesk(aFailedJob({ jobId }));
    await remove();
    for (const route of [remove, retry, cancel]) {
      await expect(route()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
