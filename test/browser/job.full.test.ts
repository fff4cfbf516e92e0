// @module-tag dashboard
import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Job, JobRecord } from '../../core/jobs/record.ts';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';

const dashboard = aSharedDashboard();

const emphasis = (action: Locator) => action.getAttribute('data-variant');

describe('the page of a job', () => {
  it('cancels a running job', async () => {
    const { jobId } = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('Processing').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await emphasis(page.getByRole('button', { name: 'Retry' }))).toBe('filled');
    expect((await dashboard.ended(jobId)).state).toBe('cancelled');
  });

  it('shows why an input was rejected, and what to do', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('answered 404 Not Found').waitFor();
    await page.getByText('Check that the URL opens without signing in').waitFor();
    const retry = page.getByRole('button', { name: 'Retry' });
    const duplicate = page.getByRole('link', { name: 'Duplicate' });
    // No retry of a missing file succeeds, but a changed copy of the job may.
    expect(await Promise.all([retry, duplicate].map(emphasis))).toEqual(['default', 'filled']);
    await retry.click();
    await page.getByText('the original job').waitFor();
  });

  it('says that its files have expired', async () => {
    const until = new Date(Date.now() - 40 * 86_400_000);
    const [old] = pastJobs(1, { until, everyMinutes: 1 });
    await storeJobs(dashboard.running.stage, [old as JobRecord]);
    const { page } = await dashboard.user(`/jobs/${old?.jobId}`);
    await page.getByText('The files of this job have expired').waitFor();
    await page.getByText('Files expired', { exact: true }).waitFor();
  });

  it('shows its warnings, as a row of the list does', async () => {
    const message = 'Of 1000 video frames, 40 are missing or damaged.';
    const [job] = pastJobs(1, { until: new Date(), everyMinutes: 1 });
    const warnings = [{ code: 'INPUT_DAMAGED', message }];
    await storeJobs(dashboard.running.stage, [{ ...job, warnings } as JobRecord]);
    const { page } = await dashboard.user('/jobs');
    await page.getByRole('row', { name: '1 warning' }).getByRole('link').click();
    await page.getByText('Input damaged').waitFor();
    await page.getByText(message).waitFor();
  });

  it('shows metadata apart from its own details', async () => {
    const [job] = pastJobs(1, { until: new Date(), everyMinutes: 1 });
    const metadata = { 'Job ID': 'an id that only looks like one' };
    const request = { ...(job as Job | undefined)?.request, metadata };
    await storeJobs(dashboard.running.stage, [{ ...job, request } as JobRecord]);
    const { page } = await dashboard.user(`/jobs/${job?.jobId}`);
    const section = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });
    await section('Metadata').getByText(metadata['Job ID']).waitFor();
    expect(await section('Details').getByText(metadata['Job ID']).count()).toBe(0);
  });

  it('resends the webhook', async () => {
    dashboard.customer.receiver.status = 500;
    const webhookUrl = `${dashboard.customer.origin}/hook-${randomUUID()}`;
    const { jobId } = await dashboard.submit({ name: 'missing.mp4', webhookUrl });
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.getByText('Attempt 3 · 500').waitFor();
    await page.getByText('Response', { exact: true }).first().click();
    await page.getByText('the answer of the receiver').first().waitFor();

    dashboard.customer.receiver.status = 204;
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Delivered').waitFor();
    const hooks = dashboard.customer.requests.filter(({ path }) => webhookUrl.endsWith(path));
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(hooks.length).toBe(4);
  });

  it('keeps showing the attempts of a webhook while they cannot be read again', async () => {
    const webhookUrl = `${dashboard.customer.origin}/hook-${randomUUID()}`;
    const { jobId } = await dashboard.submit({ name: 'missing.mp4', webhookUrl });
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.getByText('Delivered').waitFor();
    await page.route(/deliveries$/, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 400, json: {} }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Could not load the deliveries').waitFor();
    expect(await page.getByText('Delivered').isVisible()).toBe(true);
  });

  it('deletes a job after confirmation', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    expect((await dashboard.running.api('GET', `/api/v1/jobs/${jobId}`)).status).toBe(404);
  });

  it.each([
    ['input and result at the same time', undefined, '3', [3, 3]],
    ['a clip with its section of the input', { name: 'clip', start: 2, end: 5 }, '1', [1, 3]],
  ])('compares %s', async (_, recipe, position, expected) => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4', ...(recipe && { recipe }) });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Compare with input' }).click();
    await page.getByRole('slider', { name: 'Position' }).fill(position);
    const times = () => page.evaluate('[...document.querySelectorAll("video")].map((video) => video.currentTime)');
    await expect.poll(times).toEqual(expected);
  });

  it('shows the result of a probe, and the log of ffmpeg', async () => {
    const probe = await dashboard.submit({ name: 'film.mp4', recipe: { name: 'probe' }, format: 'json' });
    const compressed = await dashboard.submit({ name: 'film.mp4' });
    await Promise.all([dashboard.ended(probe.jobId), dashboard.ended(compressed.jobId)]);
    const { page } = await dashboard.user(`/jobs/${probe.jobId}`);
    await page.getByLabel('Result').getByText('"codec": "h264"').waitFor();

    await page.goto(`/app/jobs/${compressed.jobId}?tab=log`);
    await page.getByLabel('Commands of attempt 1').getByText('-crf 28').waitFor();
    await page.getByLabel('Log of attempt 1').getByText('Input #0, mov,mp4').waitFor();
  });

  it('plays a stream by a player that no other page loads', async () => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe: { name: 'hls' }, format: 'm3u8' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user('/jobs');
    const players: string[] = [];
    page.on('request', (request) => {
      if (/assets\/hls-/.test(request.url())) players.push(request.url());
    });
    await page.waitForLoadState('networkidle');
    expect(players).toEqual([]);
    await page.locator('[data-job] a').first().click();
    await waitForVideoFrame(page);
    await page.evaluate('document.querySelector("video").play()');
    await expect.poll(() => page.evaluate('document.querySelector("video").currentTime')).toBeGreaterThan(0.2);
    expect(players.length).toBe(1);

    await page.getByRole('button', { name: 'Make URLs for viewers' }).click();
    await page.getByRole('button', { name: 'Copy the embed code' }).waitFor();
    expect(await page.getByLabel('Play').locator('code').allTextContents()).toEqual([
      expect.stringMatching(/\/hls\.m3u8\?/),
      expect.stringMatching(/^<iframe src=".*\/embed#hls=/),
    ]);
    await page.getByText('Show the files of the stream').click();
    await page
      .getByRole('link', { name: /\.m3u8$/ })
      .first()
      .waitFor();
  });

  it('shows the chosen one of several videos', async () => {
    const recipe = { name: 'renditions', heights: [360, 180] };
    const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    const height = async () => {
      await waitForVideoFrame(page);
      return page.evaluate('document.querySelector("video").videoHeight');
    };
    const choice = page.getByLabel('File to show');
    await choice.selectOption('180p');
    await expect.poll(height).toBe(180);
    await choice.selectOption('360p');
    await expect.poll(height).toBe(360);
  });

  it('shows the last step of a pipeline, and its earlier steps on request', async () => {
    const { running, customer, ended } = dashboard;
    const submitted = await submitJob(running.api, {
      input: { url: `${customer.origin}/film.mp4` },
      output: { format: 'gif' },
      steps: [{ name: 'part', recipe: { name: 'clip', start: 1, end: 2 } }, { recipe: { name: 'gif', width: 160 } }],
    });
    const { jobId } = await ended(submitted.jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('img', { name: /\.gif$/ }).waitFor();
    await page.getByText('Clip, GIF to gif').first().waitFor();
    await page.getByLabel('File to show').selectOption('part');
    await waitForVideoFrame(page);
  });

  it('says whether a webhook follows', async () => {
    const stuck = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user(`/jobs/${stuck.jobId}?tab=webhooks`);
    await page.getByText('neither the job nor the settings have a URL').waitFor();
    await dashboard.running.api('POST', `/api/v1/jobs/${stuck.jobId}/cancel`);
    const webhookUrl = `${dashboard.customer.origin}/hook`;
    const other = await dashboard.submit({ name: 'stuck.mp4', webhookUrl });
    await page.goto(`/app/jobs/${other.jobId}?tab=webhooks`);
    await page.getByText('The webhook is sent when the job ends.').waitFor();
    await dashboard.running.api('POST', `/api/v1/jobs/${other.jobId}/cancel`);
  });

  it('polls a job after its end to renew its links', async () => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    const jobUrl = new RegExp(`/api/v1/jobs/${jobId}\\?`);
    const nextRead = page.waitForResponse(jobUrl);
    await page.clock.fastForward('00:30');
    await nextRead;

    await page.route(jobUrl, (route) => route.abort());
    await page.clock.fastForward('00:30');
    await page.getByText('Could not load the job').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Could not load the job').waitFor({ state: 'hidden' });

    await dashboard.running.api('DELETE', `/api/v1/jobs/${jobId}`);
    await page.clock.fastForward('00:30');
    await page.getByText('Job not found').waitFor();
  });

  it('shows that the webhook could not be resent until the user dismisses it', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.clock.install();
    await page.getByRole('button', { name: 'Resend' }).click();
    const failure = page.getByText('Could not resend the webhook');
    await failure.waitFor();
    await page.clock.fastForward('01:00');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await failure.waitFor({ state: 'hidden' });
  });
});
