// @module-tag jobs
import { readFileSync } from 'node:fs';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { toItem } from '../../adapters/dynamodb/table.ts';
import { encoderSlownessKey } from '../../adapters/dynamodb/table-keys.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { aFargateAssembly } from '../builders/stage/assembly-with-settings.ts';
import { patience } from '../builders/stage/patience.ts';
import type { RunningStage } from '../builders/stage/running-stage.ts';
import { endLease, readJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aSlowProcessorsStage, type SlowProcessorsStage } from './slow-processors-stage.ts';

let stage: SlowProcessorsStage;
let running: RunningStage;

beforeAll(async () => {
  const assemblyDirectory = await aFargateAssembly();
  // Too slow for a function, but not for a task.
  stage = await aSlowProcessorsStage({ assemblyDirectory, slowness: 400 });
  ({ running } = stage);
}, 120_000);

async function submit(request: object = {}): Promise<string> {
  await deleteMeasuredSpeed();
  return stage.submit(request);
}

const read = (jobId: string) => readJob(running.api, jobId);
const encoders = () => stage.encoders();

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
  expect((await running.api('POST', `/api/v1/jobs/${jobId}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  expect(await read(jobId)).toMatchObject({ state: 'cancelled' });
});

it('the job of a killed task is requeued once its lease has ended, and the next task completes it', async () => {
  const jobId = await encoding();
  running.stage.faults.killTasks('SIGKILL');
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  await endLease(running.stage, jobId);
  await running.stage.fireSchedules();
  expect(await waitForJobEnd(running.api, jobId)).toMatchObject({ state: 'completed', attempt: 2 });
});

it('a job in a task stops at its cost limit', async () => {
  const jobId = await encoding({ maxCostUsd: 0.0042 });
  for (const pid of encoders()) process.kill(pid, 'SIGSTOP');
  const job = await waitForJobEnd(running.api, jobId);
  expect(job).toMatchObject({ state: 'failed', error: { code: 'COST_LIMIT' } });
  // A task is billed for a minute at least, which costs most of it.
  expect(job.cost?.usd).toBeGreaterThan(0.0034);
});

/** Workers correct the set slowness by what they measure, and a job would then fit into a function. */
async function deleteMeasuredSpeed(): Promise<void> {
  await withStageTable(running.stage, (client, TableName) =>
    client.send(new DeleteItemCommand({ TableName, Key: toItem(encoderSlownessKey) })),
  );
}
