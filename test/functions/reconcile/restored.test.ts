import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { DeliveryInput } from '../../../core/webhooks/attempt.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryDeliveryJournal } from '../../../lab/simulation/memory/delivery-journal.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const hour = 3_600_000;
const attempt = {
  ownerId: 'owner-1',
  jobId: aCompletedJob().jobId,
  deliveryId: 'delivery-1',
  attempt: 1,
  writerId: 'writer-1',
  startedAt: later(0).toISOString(),
  url: 'https://receiver.example/hook',
  expiresAt: 0,
};

/** The result of the first run of reconcile after a restore of a record that is `hours` old. */
async function restored(job: JobRecord, { hours }: { hours: number }) {
  const jobs = memoryJobTable();
  await jobs.write({ job, guard: { absent: true } });
  const journal = memoryDeliveryJournal();
  await journal.open(attempt);
  const sent: string[] = [];
  const started: DeliveryInput[] = [];
  const deps = reconcileDeps({
    jobs,
    journal,
    queue: { send: async ({ jobId }) => void sent.push(jobId) },
    retries: {
      start: async ({ input }) => {
        started.push(input);
        return 'started';
      },
    },
    clock: aVirtualClock(later(hours * hour)),
  });
  await reconcile(deps)(later((hours + 1) * hour));
  return { job: await jobs.get(job), sent, started };
}

describe('a restored record (docs/restoring.md)', () => {
  it('that was queued has its message sent again', async () => {
    const { job, sent } = await restored(aQueuedJob(), { hours: 2 });
    expect(job).toMatchObject({ state: 'queued' });
    expect(sent).toEqual([job?.jobId]);
  });

  it('that was queued for too long fails, and may be retried', async () => {
    const { job } = await restored(aQueuedJob(), { hours: 25 });
    expect(job).toMatchObject({ state: 'failed', error: { code: 'TIMEOUT', retryable: true } });
  });

  it('that was processing is requeued, with its attempt counted', async () => {
    const { job, sent } = await restored(aProcessingJob(), { hours: 2 });
    expect(job).toMatchObject({ state: 'queued', attempt: 1 });
    expect(sent).toEqual([job?.jobId]);
  });

  it('that was processing for the third time fails', async () => {
    const { job } = await restored({ ...aProcessingJob(), attempt: 3 }, { hours: 2 });
    expect(job).toMatchObject({ state: 'failed', error: { code: 'WORKER_LOST' } });
  });

  it('with a pending webhook continues the same delivery after the attempt in the journal', async () => {
    const { job, started } = await restored(aCompletedJob(), { hours: 2 });
    expect(job).toMatchObject({ state: 'completed' });
    expect(started).toMatchObject([{ deliveryId: 'delivery-1', attempt: 2 }]);
  });
});
