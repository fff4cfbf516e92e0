import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { filmIsThere, type Look } from '../test/builders/browser.ts';
import { aDashboard, type Dashboard } from '../test/builders/dashboard.ts';
import { pastJobs, storeJobs } from '../test/builders/stored-jobs.ts';

const directory = join(import.meta.dirname, '../docs/screenshots');

const looks: Record<string, Look> = {
  light: { scheme: 'light' },
  dark: { scheme: 'dark' },
  narrow: { scheme: 'light', width: 375 },
};

type Picture = { name: string; path: string; ready: (page: Page) => Promise<unknown> };

/** An account that has been in use for weeks, with jobs in every state. */
async function inUse(dashboard: Dashboard) {
  const { running, submit, ended, customer } = dashboard;
  await storeJobs(running.stage, pastJobs(140, { until: new Date(), everyMinutes: 300 }));
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hooks/media` });
  const rejected = await submit({ name: 'missing.mp4' });
  const pictures = await submit({
    name: 'film.mp4',
    recipe: { name: 'thumbnails', every: 0.5 },
    format: 'jpg',
  });
  const film = await submit({ name: 'mountain-pass.mp4' });
  for (const { jobId } of [rejected, pictures, film]) await ended(jobId);
  await submit({ name: 'stuck.mp4' });
  await submit({ name: 'waiting.mp4' });
  return { rejected, pictures, film };
}

function picturesOf({ rejected, film }: Awaited<ReturnType<typeof inUse>>): Picture[] {
  const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
  const job = `/jobs/${film.jobId}`;
  return [
    { name: 'jobs', path: '/jobs', ready: (page) => page.getByText('keynote-2026.mp4').first().waitFor() },
    { name: 'job', path: job, ready: filmIsThere },
    { name: 'job-compare', path: job, ready: compare },
    { name: 'job-rejected', path: `/jobs/${rejected.jobId}`, ready: heading('Timeline') },
    { name: 'job-request', path: `${job}?tab=request`, ready: heading('Request') },
    {
      name: 'job-webhooks',
      path: `${job}?tab=webhooks`,
      ready: (page) => page.getByText('Delivered').waitFor(),
    },
    { name: 'new-job', path: '/new', ready: heading('Compress options') },
    { name: 'keys', path: '/keys', ready: (page) => page.getByText('nte_').first().waitFor() },
    { name: 'settings', path: '/settings', ready: heading('Signing secret') },
    {
      name: 'usage',
      path: '/usage',
      ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
    },
  ];
}

/** The input and the result beside each other, both with a picture. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare with the input' }).click();
  await page.getByRole('slider', { name: 'Position' }).fill('2');
  await page.waitForLoadState('networkidle');
}

const dashboard = await aDashboard();
try {
  const pictures = picturesOf(await inUse(dashboard));
  await mkdir(directory, { recursive: true });
  for (const [look, options] of Object.entries(looks)) {
    const { page, context } = await dashboard.user('/', options);
    for (const { name, path, ready } of pictures) {
      await page.goto(`/app${path}`);
      await ready(page);
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(directory, `${name}-${look}.png`), animations: 'disabled' });
    }
    await context.close();
  }
  console.log(`${pictures.length * Object.keys(looks).length} screenshots are in docs/screenshots`);
} finally {
  await dashboard.stop();
}
