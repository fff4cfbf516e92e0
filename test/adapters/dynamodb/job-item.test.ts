import { describe, expect, it } from 'vitest';
import { jobFromItem, jobItem } from '../../../adapters/dynamodb/job-item.ts';
import { deleteJob, markTombstoneSwept } from '../../../core/jobs/removal-transitions.ts';
import { version } from '../../../core/version.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

const jobId = aJobId(1);
const lasting = [aQueuedJob, aProcessingJob, aCompletedJob, aFailedJob, aRejectedJob, aCancelledJob].map((aJob) =>
  aJob({ jobId }),
);

// The table deletes items with `expiresAt`, even if a webhook is still to be delivered.
describe('the record of a job', () => {
  it.each(lasting)('does not expire: $state', (job) => expect(jobItem(job)).not.toHaveProperty('expiresAt'));

  it('names the version that wrote it, also where another version cannot read it', () => {
    const item = { ...jobItem(aQueuedJob({ jobId })), state: { S: 'unknown' } };
    expect(() => jobFromItem(item)).toThrow(`which version ${version} of the service has written`);
  });

  it('expires 30 days after its deletion, or eight days after its last sweep', () => {
    const dayMs = 24 * 3_600_000;
    const deleted = deleteJob(aCompletedJob({ jobId }), later(0)).job;
    const swept = markTombstoneSwept(deleted, later(dayMs)).job;
    expect(jobItem(deleted).expiresAt).toEqual({ N: String(later(30 * dayMs).getTime() / 1000) });
    expect(jobItem(swept).expiresAt).toEqual({ N: String(later(9 * dayMs).getTime() / 1000) });
  });

  it('has its events as a short text', () => {
    const at = later(0).getTime();
    const events = [
      { state: 'queued' as const, at },
      { state: 'processing' as const, at: at + 2_250 },
      { state: 'processing' as const, at: at + 9_000, output: { name: 'a-_B', state: 'skipped' as const } },
    ];
    const item = jobItem({ ...aProcessingJob({ jobId }), events });
    expect(item.events?.S).toHaveLength('qmm7r7gw0 p1qi p57i.sa-_B'.length);
    expect(jobFromItem(item)).toMatchObject({ events });
  });

  it('is in the line of its queue, unless it waits for the host of its source', () => {
    const job = aQueuedJob({ jobId });
    const lines = [{}, { queue: 'long' as const }, { queue: 'long' as const, notBefore: later(1).toISOString() }];
    expect(lines.map((fields) => jobItem({ ...job, ...fields }).waitingPartition)).toEqual([
      { S: 'jobs' },
      { S: 'long' },
      { S: 'later' },
    ]);
  });
});
