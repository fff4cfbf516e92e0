import { JobError } from '@media-jobs/video/errors';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from '../../../core/jobs/ports.ts';
import { type Publication, publicationKeyOf } from '../../../core/jobs/publication.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { claim, requeue } from '../../../core/jobs/transitions.ts';
import { publishResult } from '../../../core/publish/publish-result.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

beforeEach(() => void vi.useFakeTimers({ now: later(2_000) }));
afterEach(() => void vi.useRealTimers());

const second = 1_000;

const clock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

type Choice = {
  job?: JobIn<'processing'>;
  files?: number;
  /** The time that each completion takes. */
  seconds: number;
  /** The limits that a worker has not written yet. */
  limits?: { costLimitUsd: number };
  /** Fails the completion of this file. */
  rejects?: string;
  /** The worker has the files on its disk, and this is the time of their upload to the media bucket. */
  keepSeconds?: number;
};

/** A job whose files are at a provider, invisible, and become visible. */
async function aPublication({ job = aProcessingJob(), limits, files = 1, seconds, rejects, keepSeconds }: Choice) {
  const writes = vi.fn();
  const jobs = memoryJobTable({ onWritten: writes });
  await jobs.write({ guard: { absent: true }, job });
  const memory = memoryObjectStore();
  const uploads = await Promise.all(
    Array.from({ length: files }, async (_, index) => {
      const key = `${index}.mp4`;
      const { uploadId } = await memory.begin({ key, mimeType: '', mark: 'mark' }, new AbortController().signal);
      return { key, mimeType: '', sizeBytes: 1, uploadId, etags: [] };
    }),
  );
  const store = {
    ...memory,
    async complete(...[file, mark, signal]: Parameters<typeof memory.complete>) {
      await clock.sleep(seconds * second, signal);
      signal?.throwIfAborted();
      if (file.key === rejects) throw new JobError('UPLOAD_ERROR', 'AccessDenied');
      await memory.complete(file, mark);
    },
  };
  const result = { files: {}, inputSizeBytes: 1, mediaSeconds: 1 };
  const publication: Publication = { storageProviderId: 'sp_1', mark: 'mark', uploads, result };
  const publicationKey = publicationKeyOf(job.jobId, '1');
  const deps = workerPorts({
    jobs,
    clock,
    openObjectStore: async () => store,
    files: {
      upload: () => clock.sleep((keepSeconds ?? 0) * second),
      readText: async () => JSON.stringify(publication),
    },
    deliveries: { send: async () => undefined },
    newId: () => 'id',
  });
  writes.mockClear();
  const stored = async () => (await jobs.get(job)) as JobIn<'processing'>;
  const [[name, file] = []] = Object.entries(aCompletedJob().files);
  if (name === undefined || file === undefined) throw new Error('The job has no file');
  const outputs = [{ name, path: '/tmp/output.mp4', sizeBytes: 1, file }];
  const finished = keepSeconds === undefined ? {} : { finished: { outputs, result } };
  const outcome = publishResult(deps, { ...job, ...limits }, { publicationKey, ...finished });
  return { job, jobs, memory, stored, writes, outcome };
}

/** Lets seconds pass, one at a time. */
async function pass(seconds: number, eachSecond: () => Promise<void> = async () => undefined): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await vi.advanceTimersByTimeAsync(second);
    await eachSecond();
  }
}

it('a completion that takes longer than the lease keeps the job, which completes', async () => {
  const { stored, memory, outcome } = await aPublication({ seconds: 90 });
  await pass(89, async () => expect((await stored()).dueAt > new Date().toISOString()).toBe(true));
  await pass(1);
  expect(await outcome).toBe('completed');
  expect(await stored()).toMatchObject({ state: 'completed', publication: expect.any(String) });
  expect([...memory.objects.keys()]).toEqual(['0.mp4']);
});

it('the lease is written when half of it has passed, and no more after the end of the job', async () => {
  const { writes, outcome } = await aPublication({ seconds: 90 });
  await pass(89);
  // The first claims the publication.
  expect(writes).toHaveBeenCalledTimes(1 + 4);
  await pass(1);
  await outcome;
  expect(writes).toHaveBeenCalledTimes(1 + 4 + 1);
  expect(vi.getTimerCount()).toBe(0);
});

it('a completion of seconds writes no lease', async () => {
  const { writes, outcome } = await aPublication({ seconds: 15 });
  await pass(15);
  expect(await outcome).toBe('completed');
  expect(writes).toHaveBeenCalledTimes(2);
});

it('a worker that has lost its lease completes no file any more, and leaves the job to the other one', async () => {
  const { job, jobs, stored, memory, outcome } = await aPublication({ files: 2, seconds: 60 });
  await pass(10);
  const { job: queued } = requeue(await stored(), new Date());
  const { job: claimed } = claim(queued, 'lease-2', new Date());
  await jobs.write({ guard: { leaseId: job.leaseId }, job: claimed });
  await pass(60);
  expect(await outcome).toBe('lost');
  expect(await stored()).toEqual(claimed);
  expect(memory.objects.size).toBe(0);
});

it('progress that a chunk records meanwhile does not end the lease', async () => {
  const job = aParallelJob();
  const { jobs, stored, outcome } = await aPublication({ job, seconds: 90 });
  await pass(10);
  expect(await jobs.recordChunkProgress({ ...job, chunk: 0, percent: 50, ms: 1_000 })).toBe('recorded');
  await pass(80, async () => expect((await stored()).dueAt > new Date().toISOString()).toBe(true));
  expect(await outcome).toBe('completed');
});

it('a provider that rejects a file after the lease was renewed fails the job', async () => {
  const { stored, memory, outcome } = await aPublication({ files: 2, seconds: 30, rejects: '1.mp4' });
  await pass(120);
  expect(await outcome).toBe('failed');
  expect(await stored()).toMatchObject({ state: 'failed', error: { code: 'UPLOAD_ERROR' } });
  expect(memory.objects.size).toBe(0);
});

it('files that take longer than the lease to keep wait for a retry', async () => {
  const { job, stored, outcome } = await aPublication({ seconds: 30, rejects: '0.mp4', keepSeconds: 120 });
  await pass(30);
  // The rejection is repeated until the lease ends.
  await pass(150, async () => {
    const current = await stored();
    if (current.state === 'processing') expect(current.dueAt > new Date().toISOString()).toBe(true);
  });
  await pass(120);
  expect(await outcome).toBe('failed');
  expect(await stored()).toMatchObject({ state: 'failed', unpublished: { jobId: job.jobId, attempt: 1 } });
});

it('a provider that takes long for each of many files gets five minutes and a second for each, all together', async () => {
  const { stored, memory, outcome } = await aPublication({ files: 10, seconds: 100 });
  await pass(309);
  expect(memory.objects.size).toBe(3);
  await pass(2);
  expect(await outcome).toBe('failed');
  expect(await stored()).toMatchObject({
    state: 'failed',
    error: {
      code: 'UPLOAD_ERROR',
      retryable: true,
      message: expect.stringContaining('did not complete the uploads within 310 seconds'),
    },
  });
  expect(memory.objects.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('a job that reaches its maximum cost while its files become visible is stopped', async () => {
  // A minute of 3,008 MB, and the calls.
  const { stored, memory, outcome } = await aPublication({ seconds: 200, limits: { costLimitUsd: 0.0024 } });
  await pass(100);
  expect(await outcome).toBe('failed');
  expect(await stored()).toMatchObject({ state: 'failed', error: { code: 'COST_LIMIT' } });
  expect(memory.objects.size).toBe(0);
});
