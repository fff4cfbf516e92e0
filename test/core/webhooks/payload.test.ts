import { describe, expect, it } from 'vitest';
import { resultFiles } from '../../../core/jobs/view.ts';
import { buildWebhookPayload, webhookPayloadSchema } from '../../../core/webhooks/payload.ts';
import { samplePayload } from '../../../functions/settings/test-webhook.ts';
import {
  aCancelledJob,
  aCompletedJob,
  aFailedJob,
  aFileRecord,
  aRejectedJob,
  singleOutput,
  twoOutputs,
} from '../../builders/jobs/ended-jobs.ts';

/** The payload as it is sent: JSON leaves undefined fields out. */
const sentPayload = (...job: Parameters<typeof buildWebhookPayload>): unknown =>
  JSON.parse(JSON.stringify(buildWebhookPayload(...job)));

const endedAt = Date.parse('2026-03-01T12:01:00.250Z');

describe('a webhook payload', () => {
  it('of 100 files with the longest names has at most 100 kB', () => {
    const stem = 'ü'.repeat(75);
    const names = Array.from({ length: 100 }, (_, index) => `thumbnail-${String(index).padStart(3, '0')}`);
    const files = names.map((name) => {
      const { storage_url: _, ...record } = aFileRecord(name);
      const key = `jobs/job-1/1/${'n'.repeat(40)}/${name}.webp`;
      return [name, { ...record, file_id: 'f'.repeat(36), filename: `${stem}-${name}.webp`, key }];
    });
    const metadata = Object.fromEntries(names.slice(0, 10).map((name) => [name, 'x'.repeat(100)]));
    const job = aCompletedJob({ ownerId: 'o'.repeat(22), jobId: 'j'.repeat(36), files: Object.fromEntries(files) });
    const links = { publicUrl: `https://${'a'.repeat(52)}`, fileUrlSeconds: 3_600, setUrlSeconds: 86_400 };
    const result = resultFiles(job, links, new Date(job.completedAt));
    const payload = buildWebhookPayload({ ...job, request: { ...job.request, metadata } }, result);
    expect(Object.keys(result.outputs ?? {})).toHaveLength(100);
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThanOrEqual(100_000);
  });

  it('has a signed URL and a file record for a completed job, and nothing else', () => {
    const job = aCompletedJob();
    expect(buildWebhookPayload(job, singleOutput)).toEqual({
      data: {
        jobId: job.jobId,
        state: 'completed',
        progress: 100,
        output: { signedUrl: 'https://api.example/api/v1/jobs/job-1/files/output/output.mp4?o=owner-1&e=1&s=1' },
        output_files: { output: aFileRecord('output') },
      },
      timestamp: endedAt,
    });
  });

  it('has signed URLs by name for a job with several outputs', () => {
    const payload = sentPayload(aCompletedJob(), twoOutputs);
    expect(payload).toMatchObject({ data: twoOutputs });
    expect(payload).not.toHaveProperty('data.output');
  });

  it.each([aFailedJob(), aRejectedJob()])('has the error and the progress of a $state job', (job) => {
    expect(buildWebhookPayload(job, {})).toEqual({
      data: { jobId: job.jobId, state: job.state, progress: 35, error: job.error },
      timestamp: endedAt,
    });
  });

  it('has neither error nor files for a cancelled job', () => {
    const job = aCancelledJob();
    expect(buildWebhookPayload(job, {}).data).toEqual({ jobId: job.jobId, state: 'cancelled', progress: 35 });
  });

  it('has the cost of a job with a limit only, so that any other payload is that of the specification', () => {
    const { request } = aCancelledJob();
    const cost = { transcoding: 2_000_000, files: 500 };
    expect(sentPayload(aCancelledJob({ cost }), {})).not.toHaveProperty('data.cost');
    const job = aCancelledJob({ cost, request: { ...request, maxCostUsd: 0.5 } });
    expect(sentPayload(job, {})).toHaveProperty('data.cost.usd', 0.0020005);
  });

  it('has metadata if the job has any', () => {
    const { request } = aCancelledJob();
    const job = aCancelledJob({ request: { ...request, metadata: { order: '17' } } });
    expect(buildWebhookPayload(job, {}).data.metadata).toEqual({ order: '17' });
    const without = aCancelledJob({ request: { ...request, metadata: {} } });
    expect(sentPayload(without, {})).not.toHaveProperty('data.metadata');
  });

  it('has the warnings of a job that has any', () => {
    const warnings = [{ code: 'TRACK_DROPPED' as const, message: 'The track 3 was left out.' }];
    expect(sentPayload(aCompletedJob({ warnings }), singleOutput)).toHaveProperty('data.warnings', warnings);
    expect(sentPayload(aCompletedJob({ warnings: [] }), singleOutput)).not.toHaveProperty('data.warnings');
  });

  it.each([
    ['a completed job', buildWebhookPayload(aCompletedJob(), singleOutput)],
    ['several outputs', buildWebhookPayload(aCompletedJob(), twoOutputs)],
    ['a completed job whose files have expired', buildWebhookPayload(aCompletedJob(), {})],
    ['a failed job', buildWebhookPayload(aFailedJob(), {})],
    ['a rejected job', buildWebhookPayload(aRejectedJob(), {})],
    ['a cancelled job', buildWebhookPayload(aCancelledJob(), {})],
    ['a test', samplePayload({ id: '01980000', now: new Date(endedAt) })],
  ])('matches its schema without extra fields: %s', (_, payload) => {
    expect(webhookPayloadSchema.parse(payload)).toEqual(payload);
  });

  it('starts its jobId with test_ in a test', () => {
    expect(samplePayload({ id: '01980000', now: new Date(endedAt) }).data.jobId).toBe('test_01980000');
  });
});
