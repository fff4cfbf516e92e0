import { JobError } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import { settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { isTerminal } from '../../../core/jobs/record.ts';
import { UnpublishedError } from '../../../core/publish/store-result.ts';
import type { Outcome } from '../../../functions/transcode/attempt.ts';
import { endAttempt } from '../../../functions/transcode/end-attempt.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { anAttempt } from '../../builders/jobs/an-attempt.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const { files } = aCompletedJob();
const result = { files, inputSizeBytes: 1 };
const { jobId, attempt } = aProcessingJob();

/** A table that makes the first write without an answer. The delivery of the ended job changes the record before the second. */
function anUnansweringTable(jobs: JobTable): JobTable {
  let writes = 0;
  return {
    ...jobs,
    async write(change) {
      const answer = await jobs.write(change);
      if (++writes > 1) return answer;
      if (isTerminal(change.job)) {
        await jobs.write(settleDelivery(change.job, String(change.job.pendingDelivery?.id), 'delivered'));
      }
      throw new Error('The table does not answer');
    },
  };
}

it.each<[state: string, outcome: Outcome]>([
  ['completed', { kind: 'finished', result }],
  [
    'failed',
    {
      kind: 'error',
      error: new UnpublishedError(new JobError('UPLOAD_ERROR', 'The bucket is gone', { retryable: true }), {
        jobId,
        attempt,
        result,
      }),
    },
  ],
])('an attempt whose end is not answered has its job %s, so that its files are kept', async (state, outcome) => {
  const job = aProcessingJob();
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const deps = workerPorts({
    jobs: anUnansweringTable(jobs),
    deliveries: { send: async () => undefined },
    newId: () => 'delivery-1',
  });
  expect(await endAttempt(anAttempt(deps, job, 'uploading'), outcome)).toBe(state);
  expect(await jobs.get(job)).toMatchObject({ state, deliveryOutcome: 'delivered' });
});
