import { describe, expect, it } from 'vitest';
import { busEvent, busEventDetailSchema } from '../../../core/webhooks/delivery.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';

describe('a bus event', () => {
  it.each([
    [aCompletedJob(), 'Job Completed'],
    [aFailedJob(), 'Job Failed'],
    [aRejectedJob(), 'Job Rejected'],
    [aCancelledJob(), 'Job Cancelled'],
  ])('has the detail type of its terminal state and matches its schema', (job, detailType) => {
    const event = busEvent(job);
    expect(event.detailType).toBe(detailType);
    expect(busEventDetailSchema.parse(event.detail)).toEqual(event.detail);
  });

  it('has no URL, because a bus has many readers', () => {
    expect(JSON.stringify(busEvent(aCompletedJob()))).not.toContain('http');
  });

  it('has the error of a failed job', () => {
    const job = aFailedJob();
    expect(busEvent(job).detail.error).toEqual(job.error);
  });
});
