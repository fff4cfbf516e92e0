import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { patience } from '../builders/stage/patience.ts';
import { readJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aSlowProcessorsStage, type SlowProcessorsStage } from './slow-processors-stage.ts';

let stage: SlowProcessorsStage;

beforeAll(async () => {
  const assemblyDirectory = await anAssemblyWith({ largeWorkers: {} });
  // Too slow for a function of the usual size, but not for a large one.
  stage = await aSlowProcessorsStage({ assemblyDirectory, slowness: 40 });
}, 300_000);

afterAll(() => stage?.stop());

it('a job that a function has no time for is completed by the large one, with its log and its price', async () => {
  const job = await waitForJobEnd(stage.running.api, await stage.submit());
  expect(job).toMatchObject({
    state: 'completed',
    attempt: 1,
    chunking: { chunks: 1, reason: expect.stringContaining('A large function encodes it') },
  });
  expect(job.cost?.parts.find(({ name }) => name === 'fargate')?.usd ?? 0).toBe(0);
  const { body } = await stage.running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  expect(body).toMatchObject({ attempts: [{ attempt: 1, commands: expect.any(Array) }] });
  expect(stage.running.stage.permissions().denied).toEqual([]);
});

it('a cancelled job ends its ffmpeg in the large function', async () => {
  const jobId = await stage.submit();
  await vi.waitFor(async () => {
    expect(await readJob(stage.running.api, jobId)).toMatchObject({
      stage: 'transcoding',
      chunking: { chunks: 1 },
    });
    expect(stage.encoders()).not.toEqual([]);
  }, patience);
  const { body } = await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
  expect(body).toMatchObject({ state: 'cancelled' });
  await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
});
