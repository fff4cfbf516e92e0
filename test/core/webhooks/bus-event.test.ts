import { describe, expect, it } from 'vitest';
import { busEvent, busEventDetailSchema } from '../../../core/webhooks/bus-event.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';

describe('the event on the bus', () => {
  it.each([
    [aCompletedJob(), 'Job Completed'],
    [aFailedJob(), 'Job Failed'],
    [aRejectedJob(), 'Job Rejected'],
    [aCancelledJob(), 'Job Cancelled'],
  ])('is named after the end of the job, and is what the documented schema says', (job, detailType) => {
    const event = busEvent(job);
    expect(event.detailType).toBe(detailType);
    expect(busEventDetailSchema.parse(event.detail)).toEqual(event.detail);
  });

  it('carries no URL: a bus has many readers', () => {
    expect(JSON.stringify(busEvent(aCompletedJob()))).not.toContain('http');
  });

  it('says why a job failed', () => {
    const job = aFailedJob();
    expect(busEvent(job).detail.error).toEqual(job.error);
  });
});
