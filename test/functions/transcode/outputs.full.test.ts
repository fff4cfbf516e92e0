// @module-tag chunks
import { JobError } from '@media-jobs/video/errors';
import { chunkSource } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { stepsForRetry } from '../../../core/jobs/kept-files.ts';
import { outputStatesOf } from '../../../core/jobs/progress.ts';
import type { Job, JobIn } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { adoptSteps } from '../../../core/worker/outputs.ts';
import { failWith } from '../../../functions/join-chunks/retry-or-fail.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { chunkedJob, queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';

let source: string;

beforeAll(async () => {
  source = await chunkSource('openGop');
});

const quick = { preset: 'ultrafast', crf: 30 };
const small = { recipe: { name: 'compress', maxWidth: 64, ...quick }, format: 'mp4' };
const poster = { recipe: { name: 'thumbnail', at: 1 }, format: 'jpg' };
const sprite = { recipe: { name: 'sprite', every: 5 }, format: 'jpg' };
const stream = { recipe: { name: 'hls', segmentSeconds: 2, maxHeight: 144, ...quick }, format: 'm3u8' };
const teaser = { from: 'small', recipe: { name: 'clip', start: 1, end: 2 }, format: 'mp4' };

const manyImages = { recipe: { name: 'thumbnails', every: 0.5, width: 64 }, format: 'jpg' };

type Outputs = NonNullable<JobRequestRecord['outputs']>;

function requestOf(outputs: Outputs): JobRequestRecord {
  return { mode: 'outputs', input: { url: clipUrl(source) }, outputs };
}

function statesOf(job: Job): Record<string, string> {
  return Object.fromEntries(Object.entries(outputStatesOf(job) ?? {}).map(([name, { state }]) => [name, state]));
}

it.each(['standard', 'fast'] as const)('a job makes all of its outputs, of one source, at %s speed', async (speed) => {
  const stage = await aChunkedStage();
  const outputs = {
    stream,
    small,
    poster,
    sprite,
    teaser: { ...teaser, optional: true },
    huge: { ...small, when: { minHeight: 2160 } },
  };
  const job = await runToEnd(stage, { ...requestOf(outputs), speed });
  expect(stage.unexpected).toEqual([]);
  if (job.state !== 'completed') throw new Error(`The job is ${JSON.stringify(job)}`);
  const single = ['small', 'poster', 'teaser'];
  expect(Object.keys(job.files)).toEqual(
    expect.arrayContaining([...single, 'stream/hls', 'sprite/vtt', 'sprite/sprite-001']),
  );
  expect(
    Object.keys(job.files)
      .filter((name) => !/^(stream|sprite)\//.test(name))
      .toSorted(),
  ).toEqual(single.toSorted());
  for (const { key } of Object.values(job.files)) expect((await stage.read(key)).length).toBeGreaterThan(0);
  const states = {
    stream: 'completed',
    small: 'completed',
    poster: 'completed',
    sprite: 'completed',
    teaser: 'completed',
    huge: 'skipped',
  };
  expect(statesOf(job)).toEqual(states);
});

it.each<[string, Outputs, string | undefined, Record<string, string>]>([
  [
    'the probe shows it',
    {
      poster,
      sound: { recipe: { name: 'extract-audio' }, format: 'mp3', when: { hasVideo: true } },
      later: { recipe: { name: 'clip', start: 900 }, format: 'mp4' },
    },
    'later',
    { poster: 'cancelled', later: 'failed' },
  ],
  [
    'they have too many files',
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`many-${index}`, manyImages])),
    undefined,
    { 'many-0': 'cancelled' },
  ],
  ['no condition holds', { poster: { ...poster, when: { minHeight: 2160 } } }, undefined, { poster: 'skipped' }],
])('a job is rejected before anything is encoded if %s', async (_, outputs, output, states) => {
  const stage = await aChunkedStage();
  const job = await runToEnd(stage, requestOf(outputs));
  expect(job).toMatchObject({
    state: 'rejected',
    error: output === undefined ? { code: 'INPUT_UNSUPPORTED' } : { output },
  });
  expect(statesOf(job)).toMatchObject(states);
});

it('a worker that is lost repeats no finished output, and a retry takes them over', async () => {
  const stage = await aChunkedStage();
  const jobId = aJobId();
  const made: string[] = [];
  const { media } = stage.ports;
  const stopsAt = (step: string) => ({
    media: {
      ...media,
      run: async (...[command, options]: Parameters<typeof media.run>) => {
        const path = JSON.stringify(command.outputArguments);
        if (path.includes(step)) throw new JobError('TRANSCODE_ERROR', 'The encoder has stopped');
        made.push(path);
        return media.run(command, options);
      },
    },
  });
  const request = requestOf({ poster, small });
  const failed = await runToEnd(stage, request, { jobId, overrides: stopsAt('step-2') });
  expect(failed).toMatchObject({ state: 'failed', error: { output: 'small' } });
  expect(statesOf(failed)).toEqual({ poster: 'completed', small: 'failed' });
  const completedSteps = stepsForRetry(failed, new Date(failed.updatedAt));
  made.length = 0;
  const retried = { ...aQueuedJob({ jobId: aJobId(2), request }), completedSteps };
  await stage.ports.jobs.write({ guard: { absent: true }, job: retried });
  expect(await runTranscode(stage, retried, stopsAt('none'))).toBe('completed');
  expect(made.some((path) => path.includes('step-1'))).toBe(false);
  const job = await stage.ports.jobs.get(retried);
  expect(job?.state === 'completed' && Object.values(job.files).map(({ key }) => key.split('/')[1])).toEqual([
    retried.jobId,
    retried.jobId,
  ]);
});

it('a kept output that is gone is made again, and no cheaper one', async () => {
  const stage = await aChunkedStage();
  const jobId = aJobId();
  const request = requestOf({ poster, small, late: { recipe: { name: 'clip', start: 900 }, format: 'mp4' } });
  const ended = await runToEnd(stage, requestOf({ poster, small }), { jobId });
  if (ended.state !== 'completed') throw new Error(`The job is ${ended.state}`);
  await stage.remove(ended.files.small?.key ?? '');
  const completedSteps = { attempts: 0, count: 2, result: ended, intermediates: {} };
  const job = { ...aQueuedJob({ jobId: aJobId(2), request }), completedSteps };
  const claimed = { ...job, request, attempt: 1 } as unknown as JobIn<'processing'>;
  const adopted = await adoptSteps(stage.ports, { job: claimed, signal: new AbortController().signal });
  expect([adopted?.count, Object.keys(adopted?.result.files ?? {})]).toEqual([1, ['poster']]);
});

it.each([
  [
    'optional: the job goes on without it',
    true,
    'completed',
    { poster: 'completed', small: 'failed', teaser: 'failed' },
  ],
  ['required: the job fails', false, 'failed', { poster: 'completed', small: 'failed', teaser: 'cancelled' }],
])('an output fails in its last attempt in chunks. It is %s', async (_, optional, state, states) => {
  const stage = await aChunkedStage();
  const outputs = { poster, small: { ...small, optional }, teaser: { ...teaser, optional: true } };
  const queued = await queueJob(stage, { ...requestOf(outputs), speed: 'fast' });
  expect(await runTranscode(stage, queued)).toBe('delegated');
  const { ports } = stage;
  const delegated = await ports.jobs.get(queued);
  if (delegated?.state !== 'processing') throw new Error('The job is not delegated');
  const { leaseId } = delegated;
  const cause = new JobError('INPUT_DAMAGED', 'The source cannot be decoded');
  const execution = chunkedJob(stage, `${queued.jobId}-1`);
  const ended = await failWith(ports, { ...execution.input, leaseId, failed: true }, cause);
  expect(ended).toBe(optional ? 'requeued' : 'failed');
  if (optional) expect(await runTranscode(stage, queued)).toBe('completed');
  const job = (await ports.jobs.get(queued)) as Job;
  expect(job.state).toBe(state);
  expect(statesOf(job)).toEqual(states);
});
