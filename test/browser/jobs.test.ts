import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDashboard, aFilm, type Dashboard } from '../builders/dashboard.ts';

let dashboard: Dashboard;
let folder: string;

beforeAll(async () => {
  dashboard = await aDashboard();
  folder = await mkdtemp(join(tmpdir(), 'media-jobs-films-'));
});
afterAll(async () => {
  await dashboard?.stop();
  await rm(folder, { recursive: true });
});

/** A film on the user's own disk, under any name that the disk takes. */
async function aFileCalled(name: string): Promise<string> {
  const path = join(folder, name);
  await copyFile(await aFilm(), path);
  return path;
}

function timeOf(page: Page): Promise<number> {
  return page.evaluate('document.querySelector("video").currentTime');
}

describe('the list of jobs', () => {
  it('explains how to make the first job, and shows it as soon as it is made elsewhere', async () => {
    const { page, problems } = await dashboard.user('/jobs');
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    const job = await dashboard.submit({ name: 'from-the-api.mp4' });
    const row = page.getByRole('row', { name: 'from-the-api.mp4' });
    await row.waitFor();
    await dashboard.ended(job.jobId);
    await row.getByText('Completed').waitFor();
    expect(problems).toEqual([]);
  });

  it('reads only unfinished jobs again, and those by their tag', async () => {
    const stuck = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user('/jobs');
    await page.getByRole('row', { name: 'stuck.mp4' }).getByText('Processing').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, jobId] = /\/api\/v1\/jobs\/([^/?]+)$/.exec(request.url()) ?? [];
      if (jobId !== undefined) asked.push(jobId);
    });
    const unchanged = await page.waitForResponse((response) => response.status() === 304);
    expect(unchanged.request().headers()['if-none-match']).toBeTruthy();
    expect(new Set(asked)).toEqual(new Set([stuck.jobId]));
    await dashboard.running.api('POST', `/api/v1/jobs/${stuck.jobId}/cancel`);
  });

  it('cancels and retries the selected jobs together', async () => {
    const names = ['stuck-1.mp4', 'stuck-2.mp4', 'stuck-3.mp4'];
    const jobs = await Promise.all(names.map((name) => dashboard.submit({ name })));
    const { page } = await dashboard.user('/jobs');
    const rows = page.locator('[data-job]', { has: page.getByText(/Processing|Queued/) });
    await rows.nth(2).waitFor();
    for (const row of await rows.all()) await row.getByRole('checkbox').check();
    await page
      .getByRole('toolbar', { name: 'Selected jobs' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByText('3 of 3 jobs cancelled').waitFor();
    for (const { jobId } of jobs) {
      expect((await dashboard.ended(jobId)).state).toBe('cancelled');
    }
    await expect.poll(() => page.getByRole('toolbar', { name: 'Selected jobs' }).count()).toBe(0);
  });
});

describe('a new job', () => {
  it('takes a dropped file, shows its way, and plays the result beside the input', async () => {
    const { page, problems } = await dashboard.user('/new');
    await page.locator('input[type=file]').setInputFiles(await aFileCalled('holiday film.mp4'));
    await page.getByText('holiday film.mp4').waitFor();
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name: 'holiday film.mp4' }).waitFor();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.evaluate('document.querySelector("video").play()');
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2);

    await page.getByRole('button', { name: 'Compare with the input' }).click();
    await page.getByRole('button', { name: 'Play both' }).click();
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2);
    await page.getByRole('slider', { name: 'How much of the input shows' }).press('ArrowRight');
    await page.getByText('Input size').waitFor();
    expect(problems).toEqual([]);
  });

  it('says at once what is wrong with a parameter, and then what the API has against the request', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByRole('radio', { name: /^Resize/ }).click();
    await page.getByLabel('Width').fill('7');
    await page.getByText(/too small/i).waitFor();
    expect(await page.getByRole('button', { name: 'Create job' }).isDisabled()).toBe(true);
    await page.getByLabel('Width').fill('');
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByText('Give a width, a height or both').waitFor();
  });

  it('shows the request as it will be sent, in words for every tool', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByLabel('Or paste a URL').fill("https://media.example/it's.mp4");
    await page.getByRole('slider', { name: 'CRF' }).press('ArrowRight');
    await page.getByText('29 · Small, with visible loss').waitFor();
    expect(await page.getByLabel('The request as JSON', { exact: true }).textContent()).toContain(
      '"crf": 29',
    );
    await page.getByText('curl', { exact: true }).click();
    expect(await page.getByLabel('The request as curl', { exact: true }).textContent()).toContain(
      "it'\\''s.mp4",
    );
  });
});

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

  it('shows hostile names as text and nothing else', async () => {
    const name = `<img src=x onerror="document.title='owned'">.mp4`;
    const { page, problems } = await dashboard.user('/new');
    await page.locator('input[type=file]').setInputFiles(await aFileCalled(name));
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await page.title()).toContain(name);
    expect(problems).toEqual([]);
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
