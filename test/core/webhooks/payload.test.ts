import { describe, expect, it } from 'vitest';
import { terminalEvent, webhookPayloadSchema } from '../../../core/webhooks/payload.ts';
import { samplePayload } from '../../../core/webhooks/test-webhook.ts';
import {
  aCancelledJob,
  aCompletedJob,
  aFailedJob,
  aFileRecord,
  aRejectedJob,
  singleOutput,
  twoOutputs,
} from '../../builders/jobs/ended-jobs.ts';

const endedAt = Date.parse('2026-03-01T12:01:00.250Z');

describe('the payload of a webhook', () => {
  it('of a completed job carries the signed URL and what the file is, and no more', () => {
    const job = aCompletedJob();
    expect(terminalEvent(job, singleOutput)).toEqual({
      data: {
        jobId: job.jobId,
        state: 'completed',
        progress: 100,
        output: { signedUrl: 'https://bucket.example/output.mp4?signature=1' },
        output_files: { output: aFileRecord('output') },
      },
      timestamp: endedAt,
    });
  });

  it('of a job with several outputs carries their URLs by name', () => {
    const { data } = terminalEvent(aCompletedJob(), twoOutputs);
    expect(data).toMatchObject(twoOutputs);
    expect(data).not.toHaveProperty('output');
  });

  it.each([aFailedJob(), aRejectedJob()])(
    'of a $state job carries its error and the progress reached',
    (job) => {
      expect(terminalEvent(job, {})).toEqual({
        data: { jobId: job.jobId, state: job.state, progress: 35, error: job.error },
        timestamp: endedAt,
      });
    },
  );

  it('of a cancelled job carries neither error nor files', () => {
    const job = aCancelledJob();
    expect(terminalEvent(job, {}).data).toEqual({ jobId: job.jobId, state: 'cancelled', progress: 35 });
  });

  it('carries the metadata of a job that has any', () => {
    const { request } = aCancelledJob();
    const job = aCancelledJob({ request: { ...request, metadata: { order: '17' } } });
    expect(terminalEvent(job, {}).data.metadata).toEqual({ order: '17' });
    const without = aCancelledJob({ request: { ...request, metadata: {} } });
    expect(terminalEvent(without, {}).data).not.toHaveProperty('metadata');
  });

  it.each([
    ['a completed job', terminalEvent(aCompletedJob(), singleOutput)],
    ['several outputs', terminalEvent(aCompletedJob(), twoOutputs)],
    ['a completed job whose files have expired', terminalEvent(aCompletedJob(), {})],
    ['a failed job', terminalEvent(aFailedJob(), {})],
    ['a rejected job', terminalEvent(aRejectedJob(), {})],
    ['a cancelled job', terminalEvent(aCancelledJob(), {})],
    ['a test', samplePayload({ id: '01980000', now: new Date(endedAt) })],
  ])('is what the documented schema says, with nothing beside it: %s', (_, payload) => {
    expect(webhookPayloadSchema.parse(payload)).toEqual(payload);
  });

  it('of a test can be told from a real one by its jobId', () => {
    expect(samplePayload({ id: '01980000', now: new Date(endedAt) }).data.jobId).toBe('test_01980000');
  });
});
