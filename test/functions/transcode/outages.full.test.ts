import { beforeEach, expect, it } from 'vitest';
import { aChunkedStage, type ChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import { aClipRequest, queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';

const request = await aClipRequest();
let stage: ChunkedStage;
beforeEach(async () => {
  stage = await aChunkedStage();
});

/** The answer of a service, as its client throws it. */
function answer(name: string, httpStatusCode: number): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(name), { name, $metadata: { httpStatusCode } }));
}

type Answer = ReturnType<typeof answer>;
const unavailable = answer('InternalError', 500);
const denied = answer('AccessDenied', 403);

/** Ports of which the upload of an output, or the download of a source, has this answer. */
const broken = {
  upload: (upload: Answer) => ({ files: { upload } }),
  download: (download: Answer) => ({ sources: { download } }),
};

it.each(['upload', 'download'] as const)('a job whose %s finds no service is requeued and completes', async (call) => {
  const { ports } = stage;
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, broken[call](unavailable))).toBe('requeued');
  expect(await ports.jobs.get(job)).toMatchObject({ state: 'queued', attempt: 1 });
  expect(stage.sent).toEqual([expect.objectContaining({ jobId: job.jobId })]);
  expect(await stage.keys('')).toEqual([]);
  expect(await runTranscode(stage, job)).toBe('completed');
});

it.each([
  ['UPLOAD_ERROR', 'upload'],
  ['WORKER_LOST', 'download'],
] as const)('a job fails with %s after three attempts without a service, and may be retried', async (code, call) => {
  const { ports } = stage;
  const job = await queueJob(stage, request);
  for (const result of ['requeued', 'requeued', 'failed'])
    expect(await runTranscode(stage, job, broken[call](unavailable))).toBe(result);
  expect(await ports.jobs.get(job)).toMatchObject({
    attempt: 3,
    error: { code, retryable: true, message: expect.stringContaining('InternalError') },
  });
});

it.each([
  ['UPLOAD_ERROR', 'upload'],
  ['INTERNAL_ERROR', 'download'],
] as const)('a job fails with %s at once if AWS rejects a request; the operator gets the cause', async (code, call) => {
  const { ports } = stage;
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, broken[call](denied))).toBe('failed');
  const { error } = (await ports.jobs.get(job)) as { error: { message: string } };
  expect(error).toMatchObject({ code, retryable: false });
  expect(error.message).toContain('AccessDenied');
  expect(error.message).not.toMatch(/try again/i);
  expect(stage.unexpected).toEqual([expect.objectContaining({ name: 'AccessDenied' })]);
});
