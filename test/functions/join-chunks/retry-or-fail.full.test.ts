import { readPlan, writePlan } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import { EncodeError } from '@media-jobs/video/ffmpeg';
import { describe, expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { ChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import type { ChunkedJob } from '../../builders/chunking/chunked-job.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';

const failure = {
  code: 'TRANSCODE_ERROR',
  message: 'The encoder exited with code 1: no more',
  retryable: false,
} as const;
const run = { arguments: ['-i', 'input'], log: '[error] no more' };

/** Removes the second chunk and lets its encoding fail. */
async function failSecond(stage: ChunkedStage, work: ChunkedJob): Promise<void> {
  await removeSecond(stage);
  const encoder = { ...stage.ports.media, run: () => Promise.reject(new EncodeError(failure, run)) };
  await expect(work.encode(1, { media: encoder })).rejects.toMatchObject(failure);
}

async function removeSecond({ keys, remove }: ChunkedStage): Promise<void> {
  for (const key of await keys('work/')) if (/\/1(\.json)?$/.test(key)) await remove(key);
}

describe('if a chunk task fails permanently', () => {
  it('the job is requeued for a single pass, with the message of the encoder', async () => {
    const { stage, work } = await encodedChunks();
    await failSecond(stage, work);
    expect(await work.join({ failed: true })).toBe('requeued');
    expect(await work.job()).toMatchObject({
      state: 'queued',
      singlePassReason: `Chunk 2 could not be encoded: ${failure.message}`,
    });
    expect(stage.sent).toHaveLength(1);
  });

  it('the log of the attempt has the finished and the failed commands', async () => {
    const { stage, work } = await encodedChunks();
    await failSecond(stage, work);
    await work.join({ failed: true });
    const [log] = await stage.ports.logs.list(work.input);
    expect(log?.commands).toHaveLength(4);
    expect(log).toMatchObject({ attempt: 1, log: expect.stringContaining('[error] no more') });
  });
});

describe('if no chunk task stored a reason', () => {
  it('the job is requeued to be encoded in chunks again', async () => {
    const { stage, work } = await encodedChunks();
    expect(await work.join({ failed: true })).toBe('requeued');
    expect(await work.job()).not.toHaveProperty('singlePassReason');
    expect(await stage.keys('work/')).toContain(work.input.planKey);
  });

  it('the last attempt is a single pass', async () => {
    const { work } = await encodedChunks({ attempt: 2 });
    expect(await work.join({ failed: true })).toBe('requeued');
    expect(await work.job()).toMatchObject({
      singlePassReason: 'the service failed while it encoded or joined the chunks',
    });
  });

  it('the job is requeued although the plan is invalid', async () => {
    const { stage, work } = await encodedChunks();
    await stage.bucket.put(work.input.planKey, '{"schemaVersion":0}');
    expect(await work.join({ failed: true })).toBe('requeued');
    expect(stage.unexpected).toMatchObject([{ message: expect.stringContaining('schema version 0') }]);
  });
});

describe('if the server of the source was overloaded for a while', () => {
  async function afterOverload(attempt: number) {
    const { stage, work } = await encodedChunks({ attempt });
    await removeSecond(stage);
    const overloaded = new JobError('INPUT_UNREACHABLE', 'media.example answered 503 Service Unavailable');
    const openRangeProxy = () => Promise.reject(overloaded);
    await expect(work.encode(1, { openRangeProxy })).rejects.toBe(overloaded);
    expect(await work.join({ failed: true })).toBe('requeued');
    return { stage, job: await work.job() };
  }

  it('the job is requeued to be encoded in chunks again, and its finished chunks stay', async () => {
    const { stage, job } = await afterOverload(1);
    expect(job).not.toHaveProperty('singlePassReason');
    expect((await stage.keys('work/')).filter((key) => /\/\d+\.json$/.test(key))).not.toEqual([]);
  });

  it('the last attempt is a single pass, whose reason names the server', async () => {
    const { job } = await afterOverload(2);
    const reason = 'Chunk 2 could not be encoded: media.example answered 503 Service Unavailable';
    expect(job).toMatchObject({ singlePassReason: reason });
  });
});

it('a source by URL that was replaced after it was planned fails the job at its first attempt', async () => {
  const { stage, work } = await encodedChunks();
  const { planKey } = work.input;
  const plan = readPlan((await stage.read(planKey)).toString());
  const validator = { header: 'etag', value: '"1"' } as const;
  const sources = [{ input: 0, validator, sizeBytes: 1 }];
  await stage.bucket.put(planKey, writePlan({ ...plan, sources }));
  await removeSecond(stage);
  const gone = new JobError('INPUT_UNREACHABLE', 'media.example replaced the input', { retryable: false });
  await expect(work.encode(1, { openRangeProxy: () => Promise.reject(gone) })).rejects.toBe(gone);
  expect(await work.join({ failed: true })).toBe('failed');
  const { code, message, retryable } = gone;
  expect(await work.job()).toMatchObject({ state: 'failed', error: { code, message, retryable } });
  expect(stage.sent).toEqual([]);
});

it('a permanent failure at the last attempt fails the job', async () => {
  const { stage, work } = await encodedChunks({ attempt: 3 });
  await failSecond(stage, work);
  expect(await work.join({ failed: true })).toBe('failed');
  expect(await work.job()).toMatchObject({ error: { message: expect.stringContaining(failure.message) } });
  expect(await stage.keys('')).toEqual([]);
});

it('a job that has cost what it may fails, whichever attempt it is', async () => {
  const { stage, work } = await encodedChunks();
  await failSecond(stage, work);
  const job = (await work.job()) as JobIn<'processing'>;
  const limited = { ...job, request: { ...job.request, maxCostUsd: 0.00001 } };
  await stage.ports.jobs.write({ guard: { leaseId: job.leaseId }, job: limited });
  expect(await work.join({ failed: true })).toBe('failed');
  expect(await work.job()).toMatchObject({ state: 'failed', error: { code: 'COST_LIMIT' } });
});

it('a repeated join changes nothing about a requeued job', async () => {
  const { stage, work } = await encodedChunks();
  await work.join({ failed: true });
  const after = await work.job();
  expect(await work.join({ failed: true })).toBe('lost');
  expect(await work.job()).toEqual(after);
  expect(stage.sent).toHaveLength(1);
});

it('a read error that ffmpeg did not notice stores no files', async () => {
  const { stage, work } = await encodedChunks();
  const openRangeProxy: typeof stage.ports.openRangeProxy = async (...request) => ({
    ...(await stage.ports.openRangeProxy(...request)),
    failure: () => new Error('S3 broke off'),
  });
  await expect(work.join({}, { openRangeProxy })).rejects.toThrow('S3 broke off');
  expect([(await work.job()).state, await stage.keys('jobs/')]).toEqual(['processing', []]);
});

it('an error of the service leaves the job as it is, and ends the watch', async () => {
  const { stage, work } = await encodedChunks();
  const before = await work.job();
  let asleep = 0;
  const { clock } = stage.ports;
  const broken = {
    files: { find: () => Promise.reject(new Error('S3 does not answer')) },
    clock: {
      ...clock,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        asleep += 1;
        await clock.sleep(milliseconds, signal);
        asleep -= 1;
      },
    },
  };
  await expect(work.join({}, broken)).rejects.toThrow('S3 does not answer');
  expect(asleep).toBe(0);
  // The time of the join counts, whatever became of it.
  const time = {
    taskMs: expect.any(Object),
    chunkProgress: expect.any(Object),
    progressVersion: expect.any(Number),
  };
  expect(await work.job()).toEqual({ ...before, ...time });
});
