import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { aVisitor, type ViewOptions, waitForVideoFrame } from '../test/builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../test/builders/dashboard/dashboard.ts';
import { encodingJob, pastJobs, storeJobs } from '../test/builders/stage/stored-jobs.ts';

const directory = join(import.meta.dirname, '../docs/screenshots');

const looks: Record<string, ViewOptions> = {
  light: { scheme: 'light' },
  dark: { scheme: 'dark' },
  narrow: { scheme: 'light', width: 375 },
};

type Picture = { name: string; path: string; ready: (page: Page) => Promise<unknown> };

/** An account that has been in use for weeks, with jobs in every state. */
async function inUse(dashboard: Dashboard) {
  const { running, submit, ended, customer } = dashboard;
  const now = new Date();
  const encoding = encodingJob({ name: 'conference-day-2.mp4', now, progress: 42, remainingSeconds: 130 });
  await storeJobs(running.stage, [encoding, ...pastJobs(140, { until: now, everyMinutes: 300 })]);
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hooks/media` });
  const rejected = await submit({ name: 'missing.mp4' });
  const pictures = await submit({
    name: 'film.mp4',
    recipe: { name: 'thumbnails', every: 0.5 },
    format: 'jpg',
  });
  const film = await submit({ name: 'mountain-pass.mp4' });
  for (const { jobId } of [rejected, pictures, film]) await ended(jobId);
  await makeKeys(dashboard, ['Build server', 'Upload form of the web shop']);
  return { rejected, pictures, film, encoding };
}

function picturesOf({ rejected, pictures, film, encoding }: Awaited<ReturnType<typeof inUse>>): Picture[] {
  const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
  const job = `/jobs/${film.jobId}`;
  return [
    { name: 'jobs', path: '/jobs', ready: (page) => page.getByText('keynote-2026.mp4').first().waitFor() },
    { name: 'job', path: job, ready: filmIsShown },
    { name: 'job-compare', path: job, ready: compare },
    { name: 'job-encoding', path: `/jobs/${encoding.jobId}`, ready: heading('Progress') },
    { name: 'job-pictures', path: `/jobs/${pictures.jobId}`, ready: picturesAreThere },
    { name: 'job-rejected', path: `/jobs/${rejected.jobId}`, ready: heading('Timeline') },
    { name: 'job-request', path: `${job}?tab=request`, ready: heading('Request') },
    {
      name: 'job-webhooks',
      path: `${job}?tab=webhooks`,
      ready: (page) => page.getByText('Delivered').waitFor(),
    },
    { name: 'job-log', path: `${job}?tab=log`, ready: heading('Log') },
    { name: 'new-job', path: '/new', ready: fillIn },
    { name: 'keys', path: '/keys', ready: (page) => page.getByText('nte_').first().waitFor() },
    { name: 'settings', path: '/settings', ready: heading('Signing secret') },
    {
      name: 'usage',
      path: '/usage',
      ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
    },
  ];
}

/** Keys are made by people alone. */
async function makeKeys(dashboard: Dashboard, names: readonly string[]): Promise<void> {
  const { page, context } = await dashboard.user('/keys');
  for (const name of names) {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  await context.close();
}

/** At a moment with something to see, and until the browser has ended its sign of loading. */
async function filmIsShown(page: Page): Promise<void> {
  await waitForVideoFrame(page);
  await page.evaluate(`new Promise((resolve) => {
    const film = document.querySelector('video');
    film.currentTime = 2;
    let calmFrames = 0;
    const look = () => {
      const isMachineIdle = !film.seeking && film.readyState === 4 && film.networkState === 1;
      calmFrames = isMachineIdle ? calmFrames + 1 : 0;
      if (calmFrames > 40) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** The input and the result beside each other, both with a picture. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare with input' }).click();
  await page.getByRole('slider', { name: 'Position' }).fill('2');
  await page.waitForLoadState('networkidle');
}

async function picturesAreThere(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** A form in use: a URL, and a quality other than the recipe's own. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Or paste a URL').fill('https://media.example/conference-day-2.mov');
  await page.getByRole('slider', { name: 'CRF' }).press('ArrowLeft');
  // Not at the control that was used last.
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
}

async function signInPage({ browser, running }: Dashboard, look: ViewOptions, path: string): Promise<void> {
  const { page, context } = await aVisitor(browser, running.stage.baseUrl, { look });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.screenshot({ path });
  await context.close();
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
      await page.screenshot({ path: join(directory, `${name}-${look}.png`) });
    }
    await context.close();
    await signInPage(dashboard, options, join(directory, `sign-in-${look}.png`));
  }
  console.log(`${(pictures.length + 1) * Object.keys(looks).length} screenshots are in docs/screenshots`);
} finally {
  await dashboard.stop();
}
