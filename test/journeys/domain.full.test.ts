// @module-tag requests
// @module-tag storage
import { beforeAll, expect, it } from 'vitest';
import { startLocalStage } from '../../lib/local/start-stage.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';

const [job] = pastJobs(1, { until: new Date(), everyMinutes: 1 });

let running: RunningStage;
beforeAll(async () => {
  running = await aRunningStage();
});

const signedUrl = async () => {
  const { body } = await running.api('GET', `/api/v1/jobs/${job?.jobId}`);
  return new URL((body as Record<'output', { signedUrl: string }>).output.signedUrl);
};

const opened = async ({ pathname, search }: URL) =>
  (await fetch(running.stage.baseUrl + pathname + search, { redirect: 'manual' })).status;

it('URLs of files that were signed before a stage has its domain stay valid, and new ones have its name', async () => {
  if (job) await storeJobs(running.stage, [job]);
  const before = await signedUrl();
  expect([before.origin, await opened(before)]).toEqual([running.stage.baseUrl, 302]);
  const assemblyDirectory = await anAssemblyWith({ domain: { name: 'media.example.com' } });
  await running.stage.stop();
  running.stage = await startLocalStage({
    assemblyDirectory,
    dataDirectory: running.dataDirectory,
    port: 0,
    log: () => {},
  });
  const after = await signedUrl();
  expect([after.origin, await opened(after), await opened(before)]).toEqual(['https://media.example.com', 302, 302]);
});
