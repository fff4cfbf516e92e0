import { JobError } from '@media-jobs/video/errors';
import { describe, expect, it } from 'vitest';
import { metricLine, withMetrics } from '../../../adapters/runtime/metrics.ts';
import { jobFailure } from '../../../core/jobs/job-result.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { failOrReject } from '../../../core/jobs/termination.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { metricUnits } from '../../../core/metrics/job-metrics.ts';
import { aProcessingJob, aRequest, start, urlSecret } from '../../builders/jobs/jobs.ts';

const logKeys = { jobId: 'job-1' };

describe('a metrics line', () => {
  it("is in CloudWatch's embedded metric format with the stage as its only dimension", () => {
    const line = metricLine({
      values: { JobsCompleted: 1, EncodeSpeed: 2.5 },
      stage: 'dev',
      at: start,
      logKeys,
    });
    expect(JSON.parse(line ?? '')).toEqual({
      _aws: {
        Timestamp: start.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'MediaJobs',
            Dimensions: [['stage']],
            Metrics: [
              { Name: 'JobsCompleted', Unit: 'Count' },
              { Name: 'EncodeSpeed', Unit: 'None' },
            ],
          },
        ],
      },
      stage: 'dev',
      jobId: 'job-1',
      JobsCompleted: 1,
      EncodeSpeed: 2.5,
    });
  });

  it('is not written without values', () => {
    expect(metricLine({ values: {}, stage: 'dev', at: start })).toBeUndefined();
  });

  it("has at most CloudWatch's hundred metrics", () => {
    expect(Object.keys(metricUnits).length).toBeLessThanOrEqual(100);
  });
});

describe('a metered job table', () => {
  const change = create({ ownerId: 'owner-1', jobId: 'job-1', request: aRequest, urlSecret, now: start });
  const answering = (written: boolean) =>
    ({ write: async () => ({ written, current: undefined }) }) as unknown as JobTable;

  it.each([
    [true, [[{ JobsCreated: 1 }, { ...logKeys, ownerId: 'owner-1' }]]],
    [false, []],
  ])('counts a write only if it took effect: %s', async (written, expected) => {
    const emitted: unknown[] = [];
    await withMetrics(answering(written), (...metrics) => emitted.push(metrics)).write(change);
    expect(emitted).toEqual(expected);
  });

  it('logs why a job has failed', async () => {
    const error = jobFailure(new JobError('UPLOAD_ERROR', 'An output file could not be stored.'), 'uploading');
    const ending = { now: start, webhookTarget: null, deliveryId: 'delivery-1' };
    const failed = failOrReject(aProcessingJob({ ownerId: 'owner-1' }), { state: 'failed', error }, ending);
    const emitted: unknown[] = [];
    await withMetrics(answering(true), (...metrics) => emitted.push(metrics)).write(failed);
    const { jobId } = failed.job;
    expect(emitted).toEqual([
      [
        { JobsFailed: 1, JobsFailedByService: 1 },
        { jobId, ownerId: 'owner-1', error },
      ],
    ]);
  });
});
