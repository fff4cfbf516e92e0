// @module-tag packages
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { npmPackages } from '@media-jobs/testing/npm-packages';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { clipWith } from '@media-jobs/video/testing';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { packClient } from '../../lib/build/packages/pack-client.ts';
import { packagesDirectory } from '../../lib/build/packages/pack-package.ts';
import { signingSecret } from '../../lib/local/stage-table.ts';
import { aBrowser } from '../builders/dashboard/browser.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const minutes = 60_000;

let running: RunningStage;
let browser: Browser;
let folder: string;
let clip: string;
const started: ChildProcess[] = [];

/** The examples as a reader has them, with the packages that they name. */
beforeAll(async () => {
  folder = await aTemporaryFolder();
  const uppy = await npmPackages('uppy-6.0.1', { uppy: '6.0.1' });
  await packClient();
  await cp('examples', folder, { recursive: true });
  for (const example of ['node', 'browser-upload', 'player']) {
    const modules = join(folder, example, 'node_modules');
    await mkdir(join(modules, '@media-jobs'), { recursive: true });
    await symlink(join(packagesDirectory, 'client'), join(modules, '@media-jobs/client'));
    await symlink(join(uppy, 'node_modules/uppy'), join(modules, 'uppy'));
    await symlink(resolve('node_modules/hls.js'), join(modules, 'hls.js'));
  }
  clip = join(folder, 'node/holiday.mov');
  await copyFile(await clipWith(), clip);
  [running, browser] = await Promise.all([aRunningStage(), aBrowser()]);
}, 5 * minutes);

afterEach(async () => {
  const ended = started.filter(({ exitCode }) => exitCode === null).map((each) => once(each, 'exit'));
  for (const each of started.splice(0)) each.kill('SIGKILL');
  await Promise.all(ended);
});

afterAll(() => browser?.close());

/** Starts a program of the examples and returns the lines that it prints. */
function start(file: string, env: Record<string, string> = {}): AsyncIterator<string> {
  const variables = { PATH: process.env.PATH, MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: running.apiKey };
  const [directory = '', name = ''] = file.split('/');
  const program = spawn(process.execPath, [name], {
    cwd: join(folder, directory),
    env: { ...variables, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(program);
  return createInterface({ input: program.stdout })[Symbol.asyncIterator]();
}

const lineOf = async (lines: AsyncIterator<string>) => String((await lines.next()).value);
const originOf = async (lines: AsyncIterator<string>) =>
  `http://127.0.0.1:${/(\d+)(\/.*)?$/.exec(await lineOf(lines))?.[1]}`;

it('node: a file is uploaded, compressed and saved', { timeout: minutes }, async () => {
  await once(start('node/upload.ts') && (started[0] as ChildProcess), 'exit');
  expect((await stat(join(folder, 'node/holiday-small.mp4'))).size).toBeGreaterThan(1_000);
});

it('node: the receiver gets the verified webhook of an upload', { timeout: minutes }, async () => {
  const receiver = start('node/webhook-receiver.ts', { WEBHOOK_SECRET: await signingSecret(running.stage) });
  const jobId = await lineOf(start('node/upload.ts', { WEBHOOK_URL: await originOf(receiver) }));
  expect(await lineOf(receiver)).toBe(`${jobId} completed`);
});

it('browser: a visitor uploads by Uppy with a key that can do nothing else', { timeout: minutes }, async () => {
  const page = await browser.newPage();
  await page.goto(await originOf(start('browser-upload/server.ts')));
  await page.locator('input[type=file]').first().setInputFiles(clip);
  await page.getByRole('button', { name: 'Upload 1 file' }).click();
  await page.getByText(/^Job /).waitFor();
  await page.getByText('Complete', { exact: true }).waitFor();
  const jobId = (await page.getByText(/^Job /).textContent())?.slice(4) ?? '';
  expect(await waitForJobEnd(running.api, jobId)).toMatchObject({ state: 'completed' });
  const { body } = await running.api('GET', '/api/v1/keys');
  const { keys } = body as { keys: { name: string; scopes: string[]; createdAt: string; expiresAt: string }[] };
  const key = keys.find(({ name }) => name === 'Visitor');
  expect(key?.scopes).toEqual(['uploads']);
  expect(Date.parse(key?.expiresAt ?? '') - Date.parse(key?.createdAt ?? '')).toBeLessThanOrEqual(10 * minutes);
  await page.close();
});

it('player: a page plays a stream', { timeout: minutes }, async () => {
  const { body } = await running.api('GET', '/api/v1/jobs?state=completed&limit=1&expand=files');
  const [{ output }] = (body as { jobs: [{ output: { signedUrl: string } }] }).jobs;
  const request = { input: { url: output.signedUrl }, recipe: { name: 'hls' }, output: { format: 'm3u8' } };
  const { jobId } = await submitJob(running.api, request);
  await waitForJobEnd(running.api, jobId);
  const page = await browser.newPage();
  await page.goto(`${await originOf(start('player/server.ts'))}/?job=${jobId}`);
  await page.waitForFunction('document.querySelector("video").readyState > 0'); // A new source interrupts play().
  await page.locator('video').evaluate((video: { play(): Promise<void> }) => video.play());
  await page.waitForFunction('document.querySelector("video").currentTime > 0');
  await page.close();
});
