import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { DeliveryInput } from '../../../core/webhooks/delivery.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryDeliveryJournal } from '../../../lab/simulation/memory/delivery-journal.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aDeliveryAttempt } from '../../builders/jobs/a-delivery-attempt.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const hour = 3_600_000;

/** The result of the first run of reconcile after a restore of a record that is `hours` old. */
async function restored(job: JobRecord, { hours }: { hours: number }) {
  const jobs = memoryJobTable();
  await jobs.write({ job, guard: { absent: true } });
  const journal = memoryDeliveryJournal();
  await journal.open(aDeliveryAttempt());
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

const thirdAttempt = { ...aProcessingJob(), attempt: 3 };

describe('a restored record (docs/restoring.md)', () => {
  it.each<[string, JobRecord, number, object, number]>([
    ['queued has its message sent again', aQueuedJob(), 2, { state: 'queued' }, 1],
    [
      'queued for too long fails',
      aQueuedJob(),
      25,
      { state: 'failed', error: { code: 'TIMEOUT', retryable: true } },
      0,
    ],
    ['processing is requeued, with its attempt counted', aProcessingJob(), 2, { state: 'queued', attempt: 1 }, 1],
    ['processing for the third time fails', thirdAttempt, 2, { state: 'failed', error: { code: 'WORKER_LOST' } }, 0],
  ])('that was %s', async (_, record, hours, expected, messages) => {
    const { job, sent } = await restored(record, { hours });
    expect(job).toMatchObject(expected);
    expect(sent).toEqual(Array(messages).fill(record.jobId));
  });

  it('with a pending webhook continues the same delivery after the attempt in the journal', async () => {
    const { job, started } = await restored(aCompletedJob(), { hours: 2 });
    expect(job).toMatchObject({ state: 'completed' });
    expect(started).toMatchObject([{ deliveryId: 'delivery-1', attempt: 2 }]);
  });
});
