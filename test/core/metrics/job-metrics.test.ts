import { describe, expect, it } from 'vitest';
import {
  abandonDelivery,
  recordDeliveryAttempt,
  redeliver,
  settleDelivery,
} from '../../../core/jobs/delivery-transitions.ts';
import { requeueForSinglePass, requeueFromExecution } from '../../../core/jobs/execution-transitions.ts';
import { abandon, cancel, complete, failOrReject } from '../../../core/jobs/termination.ts';
import { claim, create, heartbeat, requeue, resend } from '../../../core/jobs/transitions.ts';
import { jobMetrics } from '../../../core/metrics/job-metrics.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, aRequest, later, urlSecret } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';

const ending = { now: later(61_000), webhookTarget: null, deliveryId: 'delivery-1' };
const error = { code: 'TRANSCODE_ERROR', message: 'No.', stage: 'transcoding', retryable: true } as const;

describe("the metrics of a job's change", () => {
  it('count a new job', () => {
    const change = create({ ownerId: 'owner-1', jobId: 'job-1', request: aRequest, urlSecret, now: later(0) });
    expect(jobMetrics(change)).toEqual({ JobsCreated: 1 });
  });

  it('have the cost of an ended job', () => {
    const { job, guard } = cancel(aProcessingJob(), ending);
    const cost = { transcoding: 1_250_000, api: 250_000 };
    expect(jobMetrics({ guard, job: { ...job, cost } })).toEqual({ JobsCancelled: 1, JobUsd: 0.0015 });
  });

  it('have the wait for the first worker', () => {
    expect(jobMetrics(claim(aQueuedJob(), 'lease-1', later(2_500)))).toEqual({ QueueSeconds: 2.5 });
  });

  it('have no wait for a later worker', () => {
    const again = requeue(aProcessingJob(), later(50_000)).job;
    expect(jobMetrics(claim(again, 'lease-2', later(60_000)))).toEqual({});
  });

  it('count a lost worker and a resent message', () => {
    expect(jobMetrics(requeue(aProcessingJob(), later(50_000)))).toEqual({ WorkersLost: 1 });
    expect(jobMetrics(resend(aQueuedJob(), later(300_000)))).toEqual({ MessagesResent: 1 });
  });

  it('are empty for a requeue after failed chunks', () => {
    const job = aParallelJob();
    const changes = [
      requeueFromExecution(job, later(60_000)),
      requeueForSinglePass(job, 'A chunk is missing', later(60_000)),
    ];
    expect(changes.map(jobMetrics)).toEqual([{}, {}]);
  });

  it('are empty for a heartbeat', () => {
    const beat = heartbeat(aProcessingJob(), { stage: 'transcoding', progress: 10, now: later(3_000) });
    expect(jobMetrics(beat)).toEqual({});
  });

  it.each([
    ['failed', failOrReject(aProcessingJob(), { state: 'failed', error }, ending), 'JobsFailed'],
    ['rejected', failOrReject(aProcessingJob(), { state: 'rejected', error }, ending), 'JobsRejected'],
    ['cancelled in the queue', cancel(aQueuedJob(), ending), 'JobsCancelled'],
    ['cancelled at work', cancel(aProcessingJob(), ending), 'JobsCancelled'],
    ['given up', abandon(aProcessingJob(), error, ending), 'JobsFailed'],
  ])('count the terminal state: %s', (_, change, name) => expect(jobMetrics(change)).toEqual({ [name]: 1 }));

  it.each([
    ['an error of the service', { ...error, code: 'INTERNAL_ERROR' as const }, 1],
    ['its bucket, which took no file', { ...error, code: 'UPLOAD_ERROR' as const }, 1],
    ['ffmpeg', { ...error, code: 'TRANSCODE_ERROR' as const }, undefined],
  ])('count a job that failed by %s', (_, failure, count) => {
    const change = failOrReject(aProcessingJob(), { state: 'failed', error: failure }, ending);
    expect(jobMetrics(change).JobsFailedByService).toBe(count);
  });

  it('do not count a job whose storage provider took no file as failed by the service', () => {
    const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
    const failure = { ...error, code: 'UPLOAD_ERROR' as const };
    const job = { ...aProcessingJob(), destination };
    const change = failOrReject(job, { state: 'failed', error: failure }, ending);
    expect(jobMetrics(change)).toEqual({ JobsFailed: 1 });
  });

  it('have the encode speed of a completed job', () => {
    const [file] = Object.values(aCompletedJob().files);
    if (file === undefined) throw new Error('a completed job has a file');
    const files = { output: { ...file, duration: 180 } };
    const completed = complete(
      aProcessingJob(),
      { files, filesExpireAt: later(0).toISOString() },
      { ...ending, now: later(91_000) },
    );
    expect(jobMetrics(completed)).toEqual({ JobsCompleted: 1, MediaSeconds: 180, ComputeSeconds: 90, EncodeSpeed: 2 });
  });

  it('have no speed for a chunked job', () => {
    const job = { ...aParallelJob(), chunking: { chunks: 3, reason: 'It is long.' } };
    const result = { files: {}, filesExpireAt: '', mediaSeconds: 7_200 };
    expect(jobMetrics(complete(job, result, ending))).toEqual({ JobsCompleted: 1, MediaSeconds: 7_200 });
    const inSinglePass = { ...job, chunking: { chunks: 1, reason: 'It is short.' } };
    expect(jobMetrics(complete(inSinglePass, result, ending))).toHaveProperty('EncodeSpeed');
  });

  it('have no speed for a result without a duration, such as an image', () => {
    const completed = complete(aProcessingJob(), { files: {}, filesExpireAt: '' }, ending);
    expect(jobMetrics(completed)).not.toHaveProperty('EncodeSpeed');
  });
});

describe('the metrics of a delivery', () => {
  it.each([
    ['delivered', { WebhooksDelivered: 1 }],
    ['none', {}],
  ] as const)('count a delivery that is settled as %s', (outcome, metrics) => {
    expect(jobMetrics(settleDelivery(aCompletedJob(), 'delivery-1', outcome))).toEqual(metrics);
  });

  it.each([
    [undefined, { WebhooksAbandoned: 1 }],
    [{ begun: 1 }, {}],
  ])('count a job with an abandoned delivery once, with later attempts %o', (laterAttempts, metrics) => {
    const settings = { deliveryId: 'delivery-1', now: later(0), laterAttemptsMs: [300_000, 1_800_000] };
    expect(jobMetrics(abandonDelivery(aCompletedJob({ laterAttempts }), settings))).toEqual(metrics);
  });

  it('are empty until then, although the job may have an earlier outcome', () => {
    const job = aCompletedJob({ deliveryOutcome: 'abandoned' });
    const recorded = recordDeliveryAttempt(job, { deliveryId: 'delivery-1', nextDelayMs: 500, now: later(0) });
    const again = redeliver(job, { now: later(0), webhookTarget: 'https://a.example', deliveryId: 'd-2' });
    expect([jobMetrics(recorded), jobMetrics(again)]).toEqual([{}, {}]);
  });
});
