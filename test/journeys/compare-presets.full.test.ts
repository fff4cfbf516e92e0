// @module-tag jobs
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cliProcess } from '@media-jobs/cli/testing';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

let running: RunningStage;
beforeAll(async () => {
  running = await aRunningStage();
});

it('presets compare shows what two versions make of a file, and what they cost', async () => {
  for (const crf of [22, 40]) {
    const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress', crf } };
    await running.api('POST', '/api/v1/presets', { name: 'web', draft: crf > 30, request });
  }
  const clip = await generatedFile('compared.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=4'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-pix_fmt', 'yuv420p'],
  ]);
  const cwd = await aTemporaryFolder();
  const environment = { MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: running.apiKey };
  const compare = (...options: string[]) =>
    cliProcess(['presets', 'compare', 'web@1', 'web@2', '--inputs', clip, ...options], { environment, cwd }).ended;

  const tooDear = await compare('--max-usd', '0.0000001');
  expect([tooDear.exitCode, tooDear.err]).toEqual([2, expect.stringContaining('above --max-usd')]);

  const { exitCode, out, err } = await compare('--max-usd', '1', '--json');
  expect(exitCode, err).toBe(0);
  const { files, usd, estimatedUsd, page } = JSON.parse(out);
  expect(files).toMatchObject([
    { preset: 'web@1', output: 'output', vmaf: expect.any(Number), vmafP5: expect.any(Number) },
    { preset: 'web@2', output: 'output' },
  ]);
  const [before, after] = files;
  expect(after.sizeBytes).toBeLessThan(before.sizeBytes);
  expect(after.vmaf).toBeLessThan(before.vmaf);
  expect(before.vmafP5).toBeLessThanOrEqual(before.vmaf);
  expect(before.usd + after.usd).toBeCloseTo(usd, 9);
  expect(estimatedUsd).toBeGreaterThan(0);
  expect(usd).toBeLessThan(1);
  // One after another: on one machine jobs at once would take time from each other.
  const { body } = await running.api('GET', '/api/v1/jobs?order=asc');
  const [first, second] = (body as { jobs: { completedAt: string; createdAt: string }[] }).jobs;
  expect(Date.parse(second?.createdAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.completedAt ?? ''));
  const html = await readFile(page, 'utf8');
  expect(html).toContain('type="range"');
  for (const file of files) expect(html).toContain(encodeURIComponent(path.basename(path.dirname(file.path))));
});
