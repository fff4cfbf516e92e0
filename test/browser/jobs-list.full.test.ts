// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { encodingJob, storeJobs } from '../builders/stage/stored-jobs.ts';

const dashboard = aSharedDashboard();

/** The ids of the jobs that a page reads one by one, updated as it reads them. */
function jobsReadBy(page: Page): Set<string> {
  const read = new Set<string>();
  page.on('request', (request) => {
    const [, jobId] = /\/api\/v1\/jobs\/([^/?]+)$/.exec(request.url()) ?? [];
    if (jobId !== undefined) read.add(jobId);
  });
  return read;
}

function cancel(jobId: string) {
  return dashboard.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
}

describe('the list of jobs', () => {
  it('explains how to create the first job, and shows a job created elsewhere at once', async () => {
    const { page } = await dashboard.user('/jobs');
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    const job = await dashboard.submit({ name: 'from-the-api.mp4' });
    const row = page.getByRole('row', { name: 'from-the-api.mp4' });
    await row.waitFor();
    await dashboard.ended(job.jobId);
    await row.getByText('Completed').waitFor();
    expect(await row.textContent()).toMatch(/Compress to mp4.*−\d+%/);
  });

  it('shows how long an encoding will still take', async () => {
    const job = encodingJob({ name: 'conference.mp4', now: new Date(), progress: 42, remainingSeconds: 125 });
    await storeJobs(dashboard.running.stage, [job]);
    const { page } = await dashboard.user('/jobs');
    const progress = 'Encoding · 42% · about 2 min left';
    const row = page.getByRole('row', { name: 'conference.mp4' });
    await row.getByText(progress).waitFor();
    expect(await row.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42');
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    await page.getByText(progress).waitFor();
    await cancel(job.jobId);
  });

  it('filters by creation date, which is part of its URL', async () => {
    const { page } = await dashboard.user('/jobs');
    await page.getByLabel('Created').selectOption('Last 7 days');
    await page.getByRole('row', { name: 'from-the-api.mp4' }).waitFor();
    await page.getByLabel('Created').selectOption('Custom range');
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2026-01-02');
    await page.getByRole('heading', { name: 'No matching jobs' }).waitFor();
    expect(page.url()).toContain('from=2026-01-01&to=2026-01-02');
  });

  it('follows all unfinished jobs by one request of the feed, instead of one for each job', async () => {
    const stuck = await Promise.all([1, 2, 3].map((n) => dashboard.submit({ name: `stuck-row-${n}.mp4` })));
    const { page } = await dashboard.user('/jobs');
    for (const n of [1, 2, 3]) {
      await page
        .getByRole('row', { name: `stuck-row-${n}` })
        .getByText(/Processing|Queued/)
        .waitFor();
    }
    // The list reads new jobs once more after the first answer, which tells of the submissions.
    for (const _ of ['first', 'second']) await page.waitForResponse(/\/api\/v1\/events\?/);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    for (const _ of stuck) {
      const feed = await page.waitForResponse(/\/api\/v1\/events\?/);
      expect((await feed.json()).jobs).toHaveLength(3);
    }
    const calls = requested.filter((path) => path.startsWith('/api/'));
    expect(new Set(calls)).toEqual(new Set(['/api/v1/events']));
    expect(calls.length).toBeLessThanOrEqual(stuck.length + 1);
    for (const { jobId } of stuck) await cancel(jobId);
  });

  it('reads a job no more that has ended while it is visible', async () => {
    const { jobId } = await dashboard.submit({ name: 'stuck-for-now.mp4' });
    const { page } = await dashboard.user('/jobs');
    await page.clock.install();
    await page.reload();
    const row = page.getByRole('row', { name: 'stuck-for-now.mp4' });
    await row.getByText(/Processing|Queued/).waitFor();
    await cancel(jobId);
    await row.getByText('Cancelled').waitFor();
    const read = jobsReadBy(page);
    const polled = page.waitForResponse(/\/api\/v1\/events\?/);
    await page.clock.fastForward('02:00');
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await polled;
    expect(read).toEqual(new Set());
  });

  it('with a state filter sorts a job that enters the state late by creation', async () => {
    const [older, newer] = [
      await dashboard.submit({ name: 'stuck-older.mp4' }),
      await dashboard.submit({ name: 'stuck-newer.mp4' }),
    ];
    const { page } = await dashboard.user('/jobs?state=cancelled');
    await cancel(newer.jobId);
    await page.getByRole('row', { name: 'stuck-newer.mp4' }).waitFor();
    await cancel(older.jobId);
    await page.getByRole('row', { name: 'stuck-older.mp4' }).waitFor();
    const names = await page.locator('[data-job] a').allTextContents();
    expect(names.slice(0, 2)).toEqual(['stuck-newer.mp4', 'stuck-older.mp4']);
  });

  it('cancels and retries the selected jobs together', async () => {
    const names = ['stuck-1.mp4', 'stuck-2.mp4', 'stuck-3.mp4'];
    const jobs = await Promise.all(names.map((name) => dashboard.submit({ name })));
    const { page } = await dashboard.user('/jobs');
    const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
    const press = async (label: string) => {
      for (const name of names) await page.getByRole('row', { name }).last().getByRole('checkbox').check();
      await bar.getByRole('button', { name: label }).click();
    };
    await press('Cancel jobs');
    await page.getByText('3 of 3 jobs cancelled').waitFor();
    for (const { jobId } of jobs) expect((await dashboard.ended(jobId)).state).toBe('cancelled');
    await expect.poll(() => bar.count()).toBe(0);

    await press('Retry jobs');
    await page.getByText('3 of 3 jobs retried').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /stuck-\d/ }).count()).toBe(6);
  });
});
