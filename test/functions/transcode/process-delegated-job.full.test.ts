import { statSync } from 'node:fs';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { chunkSource } from '@media-jobs/video/testing';
import { beforeEach, expect, it } from 'vitest';
import type { DelegatedJobInput, JobRef } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import type { FargateWorker } from '../../../core/worker/ports.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { aChunkedStage, type ChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';
import { transcodeDelegated, transcodeNext } from '../../builders/jobs/transcode-next.ts';
import { type SomePorts, withPorts } from '../../builders/jobs/worker-ports.ts';

const request: JobRequestRecord = {
  mode: 'recipe',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  // So short a range is not split.
  recipe: { name: 'clip', start: 1, end: 3 },
};

/** So slow that a function has no time for any video. */
const processors = { count: 1, slowness: 10_000 };

let stage: ChunkedStage;
const machine = memoryJobStateMachine<DelegatedJobInput>();
const memory = { sizeBytes: 8 * 2 ** 30, cpuCount: 4 };
const task: FargateWorker = {
  machine,
  memory,
  processors: { count: 4, slowness: 1 },
  maxSeconds: 3_600,
  maxDownloadBytes: 90_000_000_000,
};

beforeEach(async () => {
  stage = await aChunkedStage();
  machine.running.clear();
});

const stored = (job: JobRef) => stage.ports.jobs.get(job);

/** Delegates a job and returns the input of its execution. */
async function delegated(jobRequest: JobRequestRecord = request): Promise<DelegatedJobInput> {
  const job = await queueJob(stage, jobRequest);
  expect(await runTranscode(stage, job, { processors, fargate: task })).toBe('delegated');
  const input = machine.running.get(`${job.jobId}-1`);
  if (input === undefined) throw new Error('No execution was started');
  return input;
}

function run(
  input: DelegatedJobInput,
  { stopped = new AbortController().signal, overrides = {} }: { stopped?: AbortSignal; overrides?: SomePorts } = {},
) {
  const limits = { deadline: new Date(Date.now() + 3_600_000), stopped };
  return transcodeDelegated(withPorts(stage.ports, overrides), input, limits);
}

it('a job that a function has no time for is completed by a task, with its log, under a lease of its own', async () => {
  const input = await delegated();
  expect(await stored(input)).toMatchObject({
    state: 'processing',
    leaseId: input.leaseId,
    chunking: {
      chunks: 1,
      reason: expect.stringMatching(/A Fargate task encodes it: a function would take/),
    },
  });
  expect(await run(input)).toBe('completed');
  expect(await stored(input)).toMatchObject({
    state: 'completed',
    files: { output: expect.objectContaining({ key: `jobs/${input.jobId}/1/output/output.mp4` }) },
    functionUse: { executions: 1, fargateTasks: 1, fargateMs: expect.any(Number) },
  });
  expect(await stage.ports.logs.list(input)).toHaveLength(1);
  expect(stage.unexpected).toEqual([]);
});

it('without Fargate tasks the job is rejected, and the message names the setting', async () => {
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, { processors })).toBe('rejected');
  expect(await stored(job)).toMatchObject({
    error: { code: 'INPUT_TOO_LONG', message: expect.stringContaining('set fargate') },
  });
});

it('a job for which a task has no time either is rejected with its figures', async () => {
  const job = await queueJob(stage, request);
  const slow = { ...task, processors, maxSeconds: 60 };
  expect(await runTranscode(stage, job, { processors, fargate: slow })).toBe('rejected');
  expect(await stored(job)).toMatchObject({
    error: { code: 'INPUT_TOO_LONG', message: expect.stringContaining('raise fargate.maxHours') },
  });
});

it('of two tasks of one attempt only the first works, and the files of the job stay', async () => {
  const input = await delegated();
  const results = await Promise.all([run(input), run(input)]);
  expect(results.toSorted()).toEqual(['completed', 'ignored']);
  expect(await stage.keys('jobs/')).toEqual([`jobs/${input.jobId}/1/output/output.mp4`]);
});

it('a task that ECS stops requeues its job, and the next attempt is delegated without a download', async () => {
  const input = await delegated();
  const stopping = new AbortController();
  const { media: encoder } = stage.ports;
  const probe: typeof encoder.probe = (...args) => {
    stopping.abort(new Error('ECS stops the task'));
    return encoder.probe(...args);
  };
  const overrides = { media: { ...encoder, probe } };
  expect(await run(input, { stopped: stopping.signal, overrides })).toBe('requeued');
  expect(stage.sent).toEqual([expect.objectContaining({ jobId: input.jobId })]);
  const download = () => Promise.reject(new Error('It is known that no function can end the job'));
  const again = (await stored(input)) as JobIn<'queued'>;
  expect(again.otherWorker?.reason).toContain('A Fargate task');
  expect(await runTranscode(stage, again, { sources: { download }, fargate: task })).toBe('delegated');
  const second = machine.running.get(`${input.jobId}-2`);
  expect(second && (await run(second))).toBe('completed');
});

it('a retry whose encoded files are too large for the disk of a function is uploaded by a task, without encoding', async () => {
  const { files } = aCompletedJob();
  const [[name, file] = []] = Object.entries(files);
  if (name === undefined || file === undefined) throw new Error('The job has no file');
  const { client, bucket } = stage.bucket;
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: file.key, Body: 'a large video' }));
  const large = { [name]: { ...file, size_mbytes: 11_000 } };
  const job = {
    ...aQueuedJob({ request }),
    destination: { storageProviderId: 'sp_1', keyTemplate: 'retried.mp4' },
    unpublished: { jobId: aJobId(2), attempt: 1, result: { files: large, inputSizeBytes: 1 } },
  };
  await stage.ports.jobs.write({ guard: { absent: true }, job });
  const fails = () => Promise.reject(new Error('Nothing is fetched or encoded again'));
  const idle = { sources: { download: fails }, media: { ...stage.ports.media, probe: fails, run: fails } };
  expect(await runTranscode(stage, job, { ...idle, fargate: task })).toBe('delegated');
  const store = memoryObjectStore({ sizeOf: (path) => statSync(path).size });
  const input = machine.running.get(`${job.jobId}-1`);
  const overrides = { ...idle, openObjectStore: async () => store };
  expect(input && (await run(input, { overrides }))).toBe('completed');
  expect([...store.objects].map(([key, { sizeBytes }]) => [key, sizeBytes])).toEqual([['retried.mp4', 13]]);
  expect(await stored(job)).toMatchObject({
    chunking: { reason: expect.stringContaining('A Fargate task uploads the encoded files') },
  });
});

it('a cancelled job stops its task, which leaves no files', async () => {
  const input = await delegated();
  const { ports } = stage;
  const ending = { now: new Date(), webhookTarget: null, deliveryId: 'delivery-1' };
  const upload: typeof ports.files.upload = async (file) => {
    await ports.jobs.write(cancel((await stored(input)) as JobIn<'processing'>, ending));
    return ports.files.upload(file);
  };
  expect(await run(input, { overrides: { files: { upload } } })).toBe('lost');
  expect(await stored(input)).toMatchObject({ state: 'cancelled' });
  expect(await stage.keys('jobs/')).toEqual([]);
});

it('a job whose inputs are too large for the disk of a function is delegated when their size is known', async () => {
  const { download } = stage.ports.sources;
  const huge: typeof download = async (request) => {
    request.onProgress({ bytes: 1, totalBytes: 9_500_000_000 });
    request.signal.throwIfAborted();
    return download(request);
  };
  const limits = { ...stage.ports.limits, sizeBytes: 100_000_000_000 };
  const job = await queueJob(stage, request);
  const left: unknown[] = [];
  const running = { ...stage.ports.queue.running, releaseWorker: async (entry: unknown) => void left.push(entry) };
  expect(
    await runTranscode(stage, job, { sources: { download: huge }, limits, queue: { running }, fargate: task }),
  ).toBe('delegated');
  // The job keeps its entry among those of its owner, and holds no worker.
  expect(left).toEqual([{ ownerId: job.ownerId, jobId: job.jobId, attempt: 1 }]);
  expect(await stored(job)).toMatchObject({ otherWorker: { reason: expect.stringContaining('disk') } });
});

it('a job that used up the time of its function is delegated', async () => {
  const job = await queueJob(stage, { ...request, recipe: { name: 'clip', start: 1, end: 2 } });
  const { media: encoder } = stage.ports;
  const run: typeof encoder.run = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const ports = { ...stage.ports, media: { ...encoder, run }, fargate: task };
  expect(await transcodeNext(ports, job, new Date(Date.now() + 3_000))).toBe('delegated');
  expect(await stored(job)).toMatchObject({ otherWorker: { reason: expect.stringContaining('longer') } });
});
