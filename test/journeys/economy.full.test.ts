// @module-tag jobs
import { beforeAll, expect, it, vi } from 'vitest';
import { aFargateAssembly } from '../builders/stage/assembly-with-settings.ts';
import { patience } from '../builders/stage/patience.ts';
import { readJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aSlowProcessorsStage, type SlowProcessorsStage } from './slow-processors-stage.ts';

let stage: SlowProcessorsStage;

beforeAll(async () => {
  const assemblyDirectory = await aFargateAssembly({ pool: { maxTasks: 1 } });
  // So slow that a video of half a minute is cut into chunks.
  stage = await aSlowProcessorsStage({ assemblyDirectory, slowness: 60 });
}, 400_000);

const api = () => stage.running.api;
const submit = (request: object = {}) => stage.submit({ speed: 'economy', ...request });
// Slow enough to be seen at work.
const compress = { recipe: { name: 'compress', preset: 'slower' } };

const brief = { recipe: { name: 'clip', start: 1, end: 3 } };

/** Starts the pool, as reconcile does each minute, and waits until a job is encoded. */
async function encoding(jobId: string): Promise<void> {
  await stage.running.stage.fireSchedules();
  await vi.waitFor(async () => {
    expect(await readJob(api(), jobId)).toMatchObject({ stage: 'transcoding' });
    expect(stage.encoders()).not.toEqual([]);
  }, patience);
}

it('economy jobs wait for the pool, which one task serves, at the price of Spot', async () => {
  const ids = [await submit(brief), await submit(brief)];
  expect(await readJob(api(), ids[0] ?? '')).toMatchObject({ state: 'queued', worker: null, position: 1 });
  await stage.running.stage.fireSchedules();
  for (const id of ids) {
    const job = await waitForJobEnd(api(), id);
    expect(job).toMatchObject({ state: 'completed', attempt: 1, worker: 'task', request: { speed: 'economy' } });
    expect(job.cost?.parts.map(({ name }) => name)).toContain('fargate');
    // What open-job takes.
    expect(job.cost?.parts.find(({ name }) => name === 'transcoding')?.usd ?? 0).toBeLessThan(1e-5);
  }
  expect(stage.running.stage.permissions().denied).toEqual([]);
});

it('an interrupted task gives its job back at once, and the chunks that it has encoded stay', async () => {
  const jobId = await submit(compress);
  await encoding(jobId);
  await vi.waitFor(async () => expect((await readJob(api(), jobId)).progress).toBeGreaterThan(30), patience);
  stage.running.stage.faults.killTasks('SIGTERM');
  await vi.waitFor(async () => expect(await readJob(api(), jobId)).toMatchObject({ state: 'queued' }), patience);
  await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
  // The execution of the task may not have ended yet.
  await vi.waitFor(async () => {
    await stage.running.stage.fireSchedules();
    expect(await readJob(api(), jobId)).toMatchObject({ state: 'processing' });
  }, patience);
  const job = await waitForJobEnd(api(), jobId);
  expect(job).toMatchObject({ state: 'completed', attempt: 2, chunking: { chunks: expect.any(Number) } });
  const { body } = await api()('GET', `/api/v1/jobs/${jobId}/log`);
  const commands = (body as { attempts: { commands: string[][] }[] }).attempts.map((each) => each.commands.length);
  // A chunk takes two commands, which encode and check it.
  expect(commands.at(-1)).toBeLessThan(2 * (job.chunking?.chunks ?? 0));
});

it('a cancel stops the job of a task, and not the task', async () => {
  const [first, second] = [await submit(compress), await submit(brief)];
  await encoding(first);
  await api()('POST', `/api/v1/jobs/${first}/cancel`);
  // Nothing starts another task.
  expect(await waitForJobEnd(api(), second)).toMatchObject({ state: 'completed', attempt: 1 });
  expect(await readJob(api(), first)).toMatchObject({ state: 'cancelled' });
});
