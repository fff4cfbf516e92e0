import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

describe('a job', () => {
  it('shows its input and its result at the same moment, beside each other', async () => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Compare with the input' }).click();
    await page.getByRole('slider', { name: 'Position' }).fill('3');
    const times = () =>
      page.evaluate('[...document.querySelectorAll("video")].map((film) => film.currentTime)');
    await expect.poll(times).toEqual([3, 3]);
  });

  it('that is a part of its input is compared with that part', async () => {
    const recipe = { name: 'clip', start: 2, end: 5 };
    const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Compare with the input' }).click();
    await page.getByRole('slider', { name: 'Position' }).fill('1');
    const times = () =>
      page.evaluate('[...document.querySelectorAll("video")].map((film) => film.currentTime)');
    await expect.poll(times).toEqual([1, 3]);
  });

  it('shows what a probe has found, and what ffmpeg has said', async () => {
    const probe = await dashboard.submit({ name: 'film.mp4', recipe: { name: 'probe' }, format: 'json' });
    const film = await dashboard.submit({ name: 'film.mp4' });
    await Promise.all([dashboard.ended(probe.jobId), dashboard.ended(film.jobId)]);
    const { page } = await dashboard.user(`/jobs/${probe.jobId}`);
    await page.getByLabel('Result').getByText('"codec": "h264"').waitFor();

    await page.goto(`/app/jobs/${film.jobId}?tab=log`);
    await page.getByLabel('Commands of attempt 1').getByText('-crf 30').waitFor();
    await page.getByLabel('Log of attempt 1').getByText('Input #0, mov,mp4').waitFor();
  });

  it('that is a stream plays by a player that no other page loads', async () => {
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
    await expect
      .poll(() => page.evaluate('document.querySelector("video").currentTime'))
      .toBeGreaterThan(0.2);
    expect(players.length).toBe(1);
  });

  it('of several films shows the one that is chosen', async () => {
    const recipe = { name: 'renditions', heights: [360, 180] };
    const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    const height = async () => {
      await waitForVideoFrame(page);
      return page.evaluate('document.querySelector("video").videoHeight');
    };
    const choice = page.getByLabel('Which file is shown');
    await choice.selectOption('180p');
    await expect.poll(height).toBe(180);
    await choice.selectOption('360p');
    await expect.poll(height).toBe(360);
  });

  it('is cancelled while it runs', async () => {
    const { jobId } = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('Processing').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect((await dashboard.ended(jobId)).state).toBe('cancelled');
  });

  it('whose input is refused says why, and what to do', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('answered 404 Not Found').waitFor();
    await page.getByText('Check that the URL opens without signing in').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('an earlier job').waitFor();
  });

  it('is told about again', async () => {
    dashboard.customer.receiver.status = 500;
    const webhookUrl = `${dashboard.customer.origin}/hook-${randomUUID()}`;
    const { jobId } = await dashboard.submit({ name: 'missing.mp4', webhookUrl });
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.getByText('Attempt 3 · 500').waitFor();
    await page.getByText('Answer', { exact: true }).first().click();
    await page.getByText('the answer of the receiver').first().waitFor();

    dashboard.customer.receiver.status = 204;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Delivered').waitFor();
    const hooks = dashboard.customer.requests.filter(({ path }) => webhookUrl.endsWith(path));
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(hooks.length).toBe(4);
  });

  it('that has ended is read again while its page is open, for links that work', async () => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    const address = new RegExp(`/api/v1/jobs/${jobId}$`);
    const again = page.waitForResponse(address);
    await page.clock.fastForward('00:30');
    await again;

    await page.route(address, (route) => route.abort());
    await page.clock.fastForward('00:30');
    await page.getByText('The job could not be read').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The job could not be read').waitFor({ state: 'hidden' });

    await dashboard.running.api('DELETE', `/api/v1/jobs/${jobId}`);
    await page.clock.fastForward('00:30');
    await page.getByText('There is no such job').waitFor();
  });

  it('that cannot be told about says so until that is dismissed', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.clock.install();
    await page.getByRole('button', { name: 'Send again' }).click();
    const failure = page.getByText('The webhook could not be sent again');
    await failure.waitFor();
    await page.clock.fastForward('01:00');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await failure.waitFor({ state: 'hidden' });
  });

  it('is deleted after a question', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the job' }).click();
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    expect((await dashboard.running.api('GET', `/api/v1/jobs/${jobId}`)).status).toBe(404);
  });
});
