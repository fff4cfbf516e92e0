import { describe, expect, it } from 'vitest';
import { usageRefOf } from '../../../core/jobs/usage-counter.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { jobRoutes, ref } from './job-routes.ts';

const { jobId } = ref;

describe('deleting', () => {
  it.each([aCompletedJob({ jobId }), aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'leaves a tombstone of a $state job that is due for reconcile at once',
    async (job) => {
      const { remove, stored } = await jobRoutes(job);
      expect(await remove()).toEqual({ status: 204 });
      expect(await stored()).toMatchObject({ state: 'deleted', dueAt: later(5_000).toISOString() });
    },
  );

  it.each([aQueuedJob({ jobId }), aProcessingJob({ jobId })])('is an error for a $state job', async (job) => {
    const { remove, stored } = await jobRoutes(job);
    await expect(remove()).rejects.toMatchObject({ code: 'JOB_NOT_TERMINAL' });
    expect(await stored()).toEqual(job);
  });

  it('subtracts the job from the usage, whether its delivery has ended or not', async () => {
    for (const usageCounted of [false, true]) {
      const caller = 'key-1';
      const ended = aCompletedJob({ jobId, caller, usageCounted: false });
      const { remove, count, usage } = await jobRoutes(ended, (table) =>
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
    const { remove, stored, usage } = await jobRoutes(aCompletedJob({ jobId, usageCounted: true }));
    usage.write = async () => {
      throw new Error('the table failed');
    };
    expect(await remove()).toEqual({ status: 204 });
    expect(await stored()).toMatchObject({ state: 'deleted', usage: { state: 'completed' } });
  });

  it('is NOT_FOUND the second time, in every route', async () => {
    const { remove, retry, cancel } = await jobRoutes(aFailedJob({ jobId }));
    await remove();
    for (const route of [remove, retry, cancel]) {
      await expect(route()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
