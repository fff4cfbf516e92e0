// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';

const dashboard = aSharedDashboard();

beforeAll(async () => {
  await storeJobs(dashboard.running.stage, pastJobs(60, { until: new Date(), everyMinutes: 300 }));
});

/** Lets the API answer requests with a query parameter by an error. Returns the paths that were requested. */
async function failRequests(page: Page, path: 'jobs' | 'events', parameter: string): Promise<string[]> {
  const requested: string[] = [];
  await page.route(new RegExp(`/api/v1/${path}\\?.*${parameter}=`), (route) => {
    requested.push(route.request().url());
    return route.fulfill({
      status: 500,
      json: { error: { code: 'INTERNAL_ERROR', message: 'It broke', retryable: false, requestId: 'r-1' } },
    });
  });
  return requested;
}

it('a page of jobs that fails is requested once, and again when the user asks', async () => {
  const { page } = await dashboard.user('/jobs');
  await page.locator('[data-job]').first().waitFor();
  const requested = await failRequests(page, 'jobs', 'cursor');
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('alert').getByText('Could not load more jobs').waitFor();
  // A poll later, no other request has been sent.
  await page.waitForResponse(/\/api\/v1\/events\?/);
  expect(requested.length).toBe(1);

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Could not load more jobs').waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('61');
});

it('a list that cannot be updated says so until it can', async () => {
  const { page } = await dashboard.user('/jobs');
  await page.locator('[data-job]').first().waitFor();
  await failRequests(page, 'events', 'after');
  await page.getByRole('alert').getByText('Could not update the list').waitFor();
  expect(await page.locator('[data-job]').count()).toBeGreaterThan(5);
  await page.unrouteAll();
  await page.getByText('Could not update the list').waitFor({ state: 'hidden' });
});
