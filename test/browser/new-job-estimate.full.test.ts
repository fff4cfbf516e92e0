// @module-tag dashboard
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aDashboardWithVideos } from '../builders/dashboard/dashboard-with-videos.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard(aDashboardWithVideos);

const estimatePath = '**/api/v1/jobs/estimate';

const summaryOf = (page: Page) => page.getByRole('region', { name: 'Estimate' }).getByRole('status');

const usual = /^[\d.]+ \w+( [\d.]+ \w+)? · \$[\d.]+/;

describe('the estimate in the form for a new job', () => {
  it('appears once the form is complete, for an assumed source, without the URL', async () => {
    const { page } = await dashboard.user('/new');
    const bodies: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/estimate')) bodies.push(request.postData() ?? '');
    });
    await expect.poll(() => summaryOf(page).textContent()).toContain('once the form is complete');
    await page.getByLabel('Or paste a URL').fill('https://media.example/film.mp4?token=SECRET');
    await expect.poll(() => summaryOf(page).textContent()).toMatch(usual);
    await page.getByText('Nothing is known of the source').waitFor();
    await page.getByText('Assumed: 1920 × 1080, 5 min, 30 frames per second, SDR.').waitFor();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain('SECRET');
    await page.getByText('Speed, cost, webhook and metadata').click();
    await page.getByLabel('Maximum cost in dollars').fill('0.0001');
    await expect.poll(() => summaryOf(page).textContent()).toContain('such a job is rejected');
    expect(bodies).toHaveLength(1);
    await page.getByText('By part').click();
    await page.getByRole('rowheader', { name: 'Transcoding' }).waitFor();
  });

  it('has the properties of a file before its upload', async () => {
    const { page } = await dashboard.user('/new');
    await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called('film.mp4'));
    await page.getByText('From the file: 960 × 540, 6.0 s').waitFor();
    await expect.poll(() => summaryOf(page).textContent()).toMatch(usual);
  });

  it('follows what is typed: an older request is aborted, an invalid form has no estimate', async () => {
    const { page } = await dashboard.user('/new');
    const stuck = Promise.withResolvers<void>();
    const aborted: string[] = [];
    page.on('requestfailed', (request) => request.url().endsWith('/estimate') && aborted.push(request.url()));
    await page.route(estimatePath, async (route) => {
      if (!route.request().postData()?.includes('"width":320')) return route.continue();
      stuck.resolve();
    });
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    await page.getByRole('radio', { name: 'Resize' }).click();
    await page.getByLabel('Width').fill('320');
    await stuck.promise;
    await page.getByLabel('Width').fill('1280');
    await expect.poll(() => aborted).toHaveLength(1);
    await expect.poll(() => summaryOf(page).textContent()).toMatch(usual);
    await page.getByLabel('Width').fill('7');
    await expect.poll(() => summaryOf(page).textContent()).toContain('once the form is complete');
  });

  it('that fails is quiet, and the job can be created', async () => {
    const { page } = await dashboard.user('/new');
    await page.route(estimatePath, (route) => route.abort());
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    await expect.poll(() => summaryOf(page).textContent()).toBe('The estimate is not available.');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.waitForURL(/\/jobs\/[^/]+$/);
  });
});
