import { beforeEach, expect, it } from 'vitest';
import type { JobRequestRecord } from '../../../core/jobs/record.ts';
import { aChunkedStage, type ChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { chunkSource } from '../../builders/chunking/chunk-sources.ts';
import { queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';

const request: JobRequestRecord = {
  mode: 'recipe',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  recipe: { name: 'clip', start: 1, end: 3 },
};

let stage: ChunkedStage;
beforeEach(async () => {
  stage = await aChunkedStage();
});

/** The answer of a service, as its client throws it. */
function answer(name: string, httpStatusCode: number): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(name), { name, $metadata: { httpStatusCode } }));
}

const unavailable = answer('InternalError', 500);
const denied = answer('AccessDenied', 403);

it.each<[call: string, broken: (ports: ChunkedStage['ports']) => Partial<ChunkedStage['ports']>]>([
  ['upload of its file', ({ files }) => ({ files: { ...files, upload: unavailable } })],
  ['download of an upload', () => ({ download: unavailable })],
])('a job is requeued if a service is not available for the %s, and then completes', async (_, broken) => {
  const { ports } = stage;
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, broken(ports))).toBe('requeued');
  expect(await ports.jobs.get(job)).toMatchObject({ state: 'queued', attempt: 1 });
  expect(stage.sent).toEqual([expect.objectContaining({ jobId: job.jobId })]);
  expect(await stage.keys('')).toEqual([]);
  expect(await runTranscode(stage, job)).toBe('completed');
});

it.each<[code: string, broken: (ports: ChunkedStage['ports']) => Partial<ChunkedStage['ports']>]>([
  ['UPLOAD_ERROR', ({ files }) => ({ files: { ...files, upload: unavailable } })],
  ['WORKER_LOST', () => ({ download: unavailable })],
])('a job fails with %s after three attempts without a service, and may be retried', async (code, broken) => {
  const { ports } = stage;
  const job = await queueJob(stage, request);
  for (const result of ['requeued', 'requeued', 'failed'])
    expect(await runTranscode(stage, job, broken(ports))).toBe(result);
  expect(await ports.jobs.get(job)).toMatchObject({
    attempt: 3,
    error: { code, retryable: true, message: expect.stringContaining('InternalError') },
  });
});

it.each<[code: string, broken: (ports: ChunkedStage['ports']) => Partial<ChunkedStage['ports']>]>([
  ['UPLOAD_ERROR', ({ files }) => ({ files: { ...files, upload: denied } })],
  ['INTERNAL_ERROR', () => ({ download: denied })],
])(
  'a job fails with %s at once if AWS rejects a request, and the operator gets the cause',
  async (code, broken) => {
    const { ports } = stage;
    const job = await queueJob(stage, request);
    expect(await runTranscode(stage, job, broken(ports))).toBe('failed');
    const { error } = (await ports.jobs.get(job)) as { error: { message: string } };
    expect(error).toMatchObject({ code, retryable: false });
    expect(error.message).toContain('AccessDenied');
    expect(error.message).not.toMatch(/try again/i);
    expect(stage.unexpected).toEqual([expect.objectContaining({ name: 'AccessDenied' })]);
  },
);
