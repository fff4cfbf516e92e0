import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../../core/async.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { jobRoutes, ref } from './job-routes.ts';

const { jobId } = ref;

describe('cancelling', () => {
  it.each([
    ['queued', aQueuedJob({ jobId })],
    ['processing', aProcessingJob({ jobId })],
  ])('ends a %s job at once and starts its webhook', async (_, job) => {
    const { cancel, stored, started } = await jobRoutes(job);
    expect(await cancel()).toMatchObject({ status: 200, body: { jobId, state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled', completedAt: later(5_000).toISOString() });
    expect(started).toEqual(['delivery-9']);
  });

  it('stops the execution that encodes its chunks', async () => {
    const { cancel, parallel } = await jobRoutes(aParallelJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect([...parallel.running.keys()]).toEqual([]);
  });

  it('succeeds although the execution cannot be stopped: chunk tasks check the job', async () => {
    const { cancel, stored, parallel } = await jobRoutes(aParallelJob({ jobId }));
    parallel.stop = () => Promise.reject(new Error('Step Functions is away'));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('wins over concurrent chunk progress and keeps it', async () => {
    let records = 0;
    const { cancel } = await jobRoutes(aParallelJob({ jobId }), async (jobs) => {
      if (records++ >= 3) return;
      await jobs.recordChunkProgress({ ...ref, leaseId: 'lease-1', chunk: records, percent: 100, ms: 900 });
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 73 } });
  });

  it('returns a job that is already cancelled without a second webhook', async () => {
    const { cancel, started } = await jobRoutes(aCancelledJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(started).toEqual([]);
  });

  it.each([aCompletedJob({ jobId }), aFailedJob({ jobId }), aRejectedJob({ jobId })])(
    'is an error for a $state job',
    async (job) => {
      const { cancel, stored } = await jobRoutes(job);
      await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
      expect(await stored()).toEqual(job);
    },
  );

  it('wins over a concurrent lease renewal', async () => {
    let beats = 0;
    const { cancel, stored } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing' || beats++ >= 3) return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 30 + beats, now: later(beats) }));
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 33 } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('loses to a worker that completes concurrently', async () => {
    const { cancel, stored } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      const ending = { now: later(4_000), webhookTarget: null, deliveryId: 'delivery-1' };
      await jobs.write(complete(job, { files: {}, filesExpireAt: later(9_000).toISOString() }, ending));
    });
    await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    expect(await stored()).toMatchObject({ state: 'completed' });
  });

  it('fails with a ConflictError if the record keeps changing', async () => {
    let beats = 0;
    const { cancel } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 1, now: later(++beats) }));
    });
    await expect(cancel()).rejects.toThrow(ConflictError);
  });
});
