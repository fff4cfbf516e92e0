import { classifyFailure, EncodeError } from '@media-jobs/video/ffmpeg';
import { toDiskFullError } from '@media-jobs/video/media';
import { chunkSource } from '@media-jobs/video/testing';
import { beforeEach, expect, it } from 'vitest';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import type { FargateWorker } from '../../../core/worker/ports.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { aChunkedStage, type ChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

const input = { url: clipUrl(await chunkSource('openGop')) };
const output = { format: 'mp4' } as const;
const oneStep: JobRequestRecord = { ...{ mode: 'recipe', input, output }, recipe: { name: 'clip', start: 1, end: 3 } };
const twoSteps: JobRequestRecord = {
  ...{ mode: 'pipeline', input, output },
  steps: [{ recipe: { name: 'clip', start: 1, end: 3 } }, { recipe: { name: 'mute' } }],
};
const twoInputs: JobRequestRecord = {
  ...{ mode: 'recipe', inputs: [input, input], output },
  recipe: { name: 'concat' },
};

const task: FargateWorker = {
  ...{ machine: memoryJobStateMachine(), maxSeconds: 3_600, maxDownloadBytes: 90_000_000_000 },
  ...{ memory: { sizeBytes: 8 * 2 ** 30, cpuCount: 4 }, processors: { count: 4, slowness: 1 } },
};

let stage: ChunkedStage;
beforeEach(async () => {
  stage = await aChunkedStage();
});

/** The result of a job on a disk that is full when ffmpeg writes. */
async function encodedOnFullDisk(request: JobRequestRecord, number: number, fargate?: FargateWorker) {
  const job = await queueJob(stage, request, aJobId(number));
  const log = 'av_interleaved_write_frame(): No space left on device';
  const failure = classifyFailure({ exitCode: 1, signal: null, log });
  const run = () => Promise.reject(new EncodeError(failure, { arguments: [], log: '' }));
  const encoder = { ...stage.ports.media, run };
  return { result: await runTranscode(stage, job, { media: encoder, fargate }), job };
}

const delegated = { state: 'processing', otherWorker: { name: 'fargate', reason: expect.stringContaining('disk') } };

it.each([
  ['one step', oneStep, 1],
  ['two steps', twoSteps, 2],
])('a job of %s whose disk is full while it is encoded moves to a Fargate task', async (_, request, number) => {
  const { result, job } = await encodedOnFullDisk(request, number, task);
  expect(result).toBe('delegated');
  expect(await stage.ports.jobs.get(job)).toMatchObject(delegated);
});

it('a job whose second input fills the disk moves to a Fargate task', async () => {
  const job = await queueJob(stage, twoInputs, aJobId(3));
  let downloads = 0;
  const download: typeof stage.ports.sources.download = (wanted) => {
    downloads += 1;
    const full = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
    return downloads === 2 ? Promise.reject(toDiskFullError(full)) : stage.ports.sources.download(wanted);
  };
  expect(await runTranscode(stage, job, { sources: { download }, fargate: task })).toBe('delegated');
  expect(await stage.ports.jobs.get(job)).toMatchObject(delegated);
});

it('without Fargate tasks the error has one code, and names the setting', async () => {
  const { result, job } = await encodedOnFullDisk(twoSteps, 4);
  expect(result).toBe('failed');
  expect(await stage.ports.jobs.get(job)).toMatchObject({
    error: { code: 'INPUT_TOO_LARGE', message: expect.stringContaining('fargate.storageGb') },
  });
});
