import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

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
  it('polls only unfinished jobs, by their entity tag', async () => {
    const stuck = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user('/jobs');
    await page.getByRole('row', { name: 'stuck.mp4' }).getByText('Processing').waitFor();
    const read = jobsReadBy(page);
    const unchanged = await page.waitForResponse((response) => response.status() === 304);
    expect(unchanged.request().headers()['if-none-match']).toBeTruthy();
    expect(read).toEqual(new Set([stuck.jobId]));
    await cancel(stuck.jobId);
  });

  it('stops polling a job that ends while it is visible', async () => {
    const { jobId } = await dashboard.submit({ name: 'stuck-for-now.mp4' });
    const { page } = await dashboard.user('/jobs');
    await page.clock.install();
    await page.reload();
    const row = page.getByRole('row', { name: 'stuck-for-now.mp4' });
    await row.getByText(/Processing|Queued/).waitFor();
    await cancel(jobId);
    await row.getByText('Cancelled').waitFor();
    const read = jobsReadBy(page);
    const polled = page.waitForResponse(/\/api\/v1\/jobs\?/);
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
});
