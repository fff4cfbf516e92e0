import { describe, expect, it } from 'vitest';
import { jobItem } from '../../../adapters/dynamodb/job-item.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

const jobId = aJobId(1);
const lasting = [aQueuedJob, aProcessingJob, aCompletedJob, aFailedJob, aRejectedJob, aCancelledJob].map(
  (aJob) => aJob({ jobId }),
);

// The table deletes items with `expiresAt`, even if a webhook is still to be delivered.
describe('the record of a job', () => {
  it.each(lasting)('does not expire: $state', (job) => {
    expect(jobItem(job)).not.toHaveProperty('expiresAt');
  });

  it('expires two days after its deletion', () => {
    const item = jobItem(deleteJob(aCompletedJob({ jobId }), later(0)).job);
    expect(item.expiresAt).toEqual({ N: String(later(48 * 3_600_000).getTime() / 1000) });
  });
});
