import { describe, expect, it } from 'vitest';
import { requeueForSinglePass, requeueFromExecution } from '../../../core/jobs/execution-transitions.ts';
import { recordDeliveryAttempt, redeliver, settleDelivery } from '../../../core/jobs/terminal-transitions.ts';
import {
  abandon,
  cancel,
  claim,
  complete,
  create,
  failOrReject,
  heartbeat,
  requeue,
  resend,
} from '../../../core/jobs/transitions.ts';
import { jobMetrics } from '../../../core/metrics/job-metrics.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob, aRequest, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';

const ending = { now: later(61_000), webhookTarget: null, deliveryId: 'delivery-1' };
const error = { code: 'TRANSCODE_ERROR', message: 'No.', stage: 'transcoding', retryable: true } as const;

describe('a change of a job', () => {
  it('is counted when the job begins', () => {
    const change = create({ ownerId: 'owner-1', jobId: 'job-1', request: aRequest, now: later(0) });
    expect(jobMetrics(change)).toEqual({ JobsCreated: 1 });
  });

  it('tells how long the job waited for its first worker', () => {
    expect(jobMetrics(claim(aQueuedJob(), 'lease-1', later(2_500)))).toEqual({ QueueSeconds: 2.5 });
  });

  it('tells no wait when a lost worker had the job before', () => {
    const again = requeue(aProcessingJob(), later(50_000)).job;
    expect(jobMetrics(claim(again, 'lease-2', later(60_000)))).toEqual({});
  });

  it('tells of a lost worker, and of a message sent again', () => {
    expect(jobMetrics(requeue(aProcessingJob(), later(50_000)))).toEqual({ WorkersLost: 1 });
    expect(jobMetrics(resend(aQueuedJob(), later(300_000)))).toEqual({ MessagesResent: 1 });
  });

  it('is silent where parts came to nothing, of which no worker was lost', () => {
    const job = aParallelJob();
    const changes = [
      requeueFromExecution(job, later(60_000)),
      requeueForSinglePass(job, 'A chunk is missing', later(60_000)),
    ];
    expect(changes.map(jobMetrics)).toEqual([{}, {}]);
  });

  it('is silent while the work goes on', () => {
    const beat = heartbeat(aProcessingJob(), { stage: 'transcoding', progress: 10, now: later(3_000) });
    expect(jobMetrics(beat)).toEqual({});
  });

  it.each([
    ['failed', failOrReject(aProcessingJob(), { state: 'failed', error }, ending), 'JobsFailed'],
    ['rejected', failOrReject(aProcessingJob(), { state: 'rejected', error }, ending), 'JobsRejected'],
    ['cancelled in the queue', cancel(aQueuedJob(), ending), 'JobsCancelled'],
    ['cancelled at work', cancel(aProcessingJob(), ending), 'JobsCancelled'],
    ['given up', abandon(aProcessingJob(), error, ending), 'JobsFailed'],
  ])('is counted by its state when the job is %s', (_, change, name) => {
    expect(jobMetrics(change)).toEqual({ [name]: 1 });
  });

  it('tells how fast the work was when the job completes: media seconds per second', () => {
    const [file] = Object.values(aCompletedJob().files);
    if (file === undefined) throw new Error('a completed job has a file');
    const files = { output: { ...file, duration: 180 } };
    const completed = complete(
      aProcessingJob(),
      { files, filesExpireAt: later(0).toISOString() },
      { ...ending, now: later(91_000) },
    );
    expect(jobMetrics(completed)).toEqual({
      JobsCompleted: 1,
      MediaSeconds: 180,
      ComputeSeconds: 90,
      EncodeSpeed: 2,
    });
  });

  it('tells no speed of a job in parts, on which many work at once', () => {
    const job = { ...aParallelJob(), chunking: { chunks: 3, reason: 'It is long.' } };
    const result = { files: {}, filesExpireAt: '', mediaSeconds: 7_200 };
    expect(jobMetrics(complete(job, result, ending))).toEqual({ JobsCompleted: 1, MediaSeconds: 7_200 });
    const inOnePiece = { ...job, chunking: { chunks: 1, reason: 'It is short.' } };
    expect(jobMetrics(complete(inOnePiece, result, ending))).toHaveProperty('EncodeSpeed');
  });

  it('tells no speed of a result without a length, such as a picture', () => {
    const completed = complete(aProcessingJob(), { files: {}, filesExpireAt: '' }, ending);
    expect(jobMetrics(completed)).not.toHaveProperty('EncodeSpeed');
  });
});

describe('a delivery', () => {
  it.each([
    ['delivered', { WebhooksDelivered: 1 }],
    ['abandoned', { WebhooksAbandoned: 1 }],
    ['none', {}],
  ] as const)('is counted when it is settled as %s', (outcome, metrics) => {
    expect(jobMetrics(settleDelivery(aCompletedJob(), 'delivery-1', outcome))).toEqual(metrics);
  });

  it('is silent until then, though the job may carry an earlier outcome', () => {
    const job = aCompletedJob({ deliveryOutcome: 'abandoned' });
    const noted = recordDeliveryAttempt(job, { deliveryId: 'delivery-1', nextDelayMs: 500, now: later(0) });
    const again = redeliver(job, { now: later(0), webhookTarget: 'https://a.example', deliveryId: 'd-2' });
    expect([jobMetrics(noted), jobMetrics(again)]).toEqual([{}, {}]);
  });
});
