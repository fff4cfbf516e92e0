import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { toItem } from '../../adapters/dynamodb/item.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { encoderSlownessKey } from '../../adapters/dynamodb/table-keys.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { localOwnerId, withStageTable } from '../../local/stage-table.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { aFargateAssembly } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { waitForJobEnd } from '../builders/stage/wait-for-job.ts';
import { runningEncoders } from '../builders/system/running-encoders.ts';

const patience = { timeout: 60_000, interval: 50 };
/** Processors so slow that a job of half a minute takes too long for a function, but not for a task. */
const environment = { PROCESSOR_SLOWNESS: '400' };

let assemblyDirectory: string;
let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  assemblyDirectory = await aFargateAssembly();
  const video = await aClip();
  customer = await aWebServer(async (_, response) => void response.end(await readFile(video)));
  running = await aRunningStage({ assemblyDirectory, environment });
}, 120_000);

afterAll(async () => {
  await running?.stop();
  await customer?.close();
  await rm(assemblyDirectory, { recursive: true, force: true });
});

/** A pattern whose encoding takes longer than the interval of two heartbeats, which write the stage of a job. */
function aClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=50:duration=26'];
  return generatedFile('fargate.mp4', [
    ...pattern,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
  ]);
}

/** Submits a job that is not split, because only a short time range of the video is kept. */
async function submit(request: object = {}, { api } = running): Promise<string> {
  await deleteMeasuredSpeed();
  const { status, body } = await api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: `${customer.origin}/video.mp4` },
    output: { format: 'mp4' },
    recipe: { name: 'clip', start: 1, end: 25 },
    ...request,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as JobResource).jobId;
}

const read = async (jobId: string) => (await running.api('GET', `/api/v1/jobs/${jobId}`)).body as JobResource;
const encoders = () => runningEncoders(running.dataDirectory);

/** Submits a job and waits until its task runs ffmpeg. */
async function encoding(request: object = {}): Promise<string> {
  const jobId = await submit(request);
  await vi.waitFor(async () => {
    expect(await read(jobId)).toMatchObject({ stage: 'transcoding' });
    expect(encoders()).not.toEqual([]);
  }, patience);
  return jobId;
}

it('a job that no function has time for is completed by a task, with its log and its price', async () => {
  const seen: number[] = [];
  const job = await waitForJobEnd(running.api, await submit(), ({ progress }) => seen.push(progress));
  expect(job).toMatchObject({
    state: 'completed',
    attempt: 1,
    chunking: { chunks: 1, reason: expect.stringContaining('A Fargate task encodes it') },
  });
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(job.cost?.parts.find(({ name }) => name === 'fargate')?.usd).toBeGreaterThan(0);
  const { body } = await running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  expect(body).toMatchObject({ attempts: [{ attempt: 1, commands: expect.any(Array) }] });
  expect(running.stage.permissions().denied).toEqual([]);
});

it('ffmpeg of a task finds no credentials, neither in its environment nor in that of its parent', async () => {
  const jobId = await encoding();
  const [encoder = 0] = encoders();
  const task = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${encoder}/status`, 'utf8'))?.[1]);
  for (const pid of [encoder, task]) {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/AWS_CONTAINER|AWS_SECRET|AWS_SESSION/);
  }
  expect(readFileSync(`/proc/${task}/environ`, 'utf8')).toContain(`JOB_ID=${jobId}`);
  await waitForJobEnd(running.api, jobId);
});

it('a task that ECS stops requeues its job, and the next task completes it', async () => {
  const jobId = await encoding();
  running.stage.faults.killTasks('SIGTERM');
  expect(await waitForJobEnd(running.api, jobId)).toMatchObject({ state: 'completed', attempt: 2 });
});

it('a cancelled job ends its task', async () => {
  const jobId = await encoding();
  expect((await running.api('POST', `/api/v1/jobs/${jobId}/cancel`)).body).toMatchObject({
    state: 'cancelled',
  });
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  expect(await read(jobId)).toMatchObject({ state: 'cancelled' });
});

it('the job of a killed task is requeued once its lease has ended, and the next task completes it', async () => {
  const jobId = await encoding();
  running.stage.faults.killTasks('SIGKILL');
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  await endLease(jobId);
  await running.stage.fireSchedules();
  expect(await waitForJobEnd(running.api, jobId)).toMatchObject({ state: 'completed', attempt: 2 });
});

it('a job in a task stops at its cost limit', async () => {
  const jobId = await encoding({ maxCostUsd: 0.0038 });
  for (const pid of encoders()) process.kill(pid, 'SIGSTOP');
  const job = await waitForJobEnd(running.api, jobId);
  expect(job).toMatchObject({ state: 'failed', error: { code: 'COST_LIMIT' } });
  // The start of a task costs nearly half of it.
  expect(job.cost?.usd).toBeGreaterThan(0.0034);
});

/** Workers correct the set slowness by what they measure, and a job would then fit into a function. */
async function deleteMeasuredSpeed(): Promise<void> {
  await withStageTable(running.stage, (client, TableName) =>
    client.send(new DeleteItemCommand({ TableName, Key: toItem(encoderSlownessKey) })),
  );
}

/** Lets the lease of a job's task end now rather than in five minutes. */
async function endLease(jobId: string): Promise<void> {
  await withStageTable(running.stage, async (client, tableName) => {
    const jobs = jobTable(client, tableName);
    const job = await jobs.get({ ownerId: localOwnerId, jobId });
    if (job?.state !== 'processing') throw new Error(`Job ${jobId} is not processing`);
    const dueAt = new Date(Date.now() - 1_000).toISOString();
    await jobs.write({ job: { ...job, dueAt }, guard: { leaseId: job.leaseId } });
  });
}
