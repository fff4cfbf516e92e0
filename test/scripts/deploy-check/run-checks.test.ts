import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDashboard } from '../../../lib/build/build-dashboard.ts';
import { findFfmpeg } from '../../../local/ffmpeg.ts';
import { makeClip } from '../../../local/sample/clip.ts';
import { checks, runChecks } from '../../../scripts/deploy-check/run-checks.ts';
import { aRunningStage, type RunningStage } from '../../builders/running-stage.ts';

let running: RunningStage;
let directory: string;
let clipPath: string;

beforeAll(async () => {
  running = await aRunningStage({ dashboardDirectory: await buildDashboard() });
  directory = await mkdtemp(join(tmpdir(), 'media-jobs-check-'));
  clipPath = join(directory, 'clip.mp4');
  await makeClip({ ...findFfmpeg(process.env), path: clipPath, seconds: 1 });
}, 240_000);

afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

async function check(more: { apiKey?: string } = {}) {
  const lines: string[] = [];
  const { apiKey, stage } = running;
  const target = {
    ...{ baseUrl: stage.baseUrl, apiKey, origin: 'https://anywhere.example', clipPath, hasDashboard: true },
    ...more,
  };
  const failed = await runChecks(target, (line) => lines.push(line));
  return { failed, lines };
}

it('passes on a stage that works', { timeout: 120_000 }, async () => {
  expect(await check()).toEqual({ failed: 0, lines: checks.map(({ name }) => `ok      ${name}`) });
});

it('says what fails, and goes on', async () => {
  const { failed, lines } = await check({ apiKey: 'nte_wrong' });
  expect(failed).toBe(2);
  expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
    expect.stringMatching(/^FAILED {2}answers every list .*listJobs answered 401: .*UNAUTHORIZED/),
    expect.stringMatching(/^FAILED {2}transcodes a clip .*: .*API key/),
  ]);
});
