import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { runMain } from '../lib/build/run-main.ts';
import { saveSettings } from '../test/browser/views.ts';
import { aVisitor, type ViewOptions, waitForVideoFrame } from '../test/builders/dashboard/browser.ts';
import { aDashboard, aPlayableVideo, type Dashboard } from '../test/builders/dashboard/dashboard.ts';
import { endedOutputsJob } from '../test/builders/dashboard/outputs-job.ts';
import { encodingJob, pastJobs, storeJobs } from '../test/builders/stage/stored-jobs.ts';

const usage = `Writes the screenshots of the dashboard to docs/screenshots/, from a local stage with sample jobs.

  npm run screenshots [-- NAME...]

With names only those, such as job-outputs.`;

const directory = join(import.meta.dirname, '../docs/screenshots');

const views: Record<string, ViewOptions> = {
  light: { scheme: 'light' },
  dark: { scheme: 'dark' },
  narrow: { scheme: 'light', width: 375 },
};

type Screenshot = { name: string; path: string; ready: (page: Page) => Promise<unknown> };

/** Fills an account with weeks of jobs in every state. */
async function fillAccount(dashboard: Dashboard) {
  const { running, submit, ended, customer } = dashboard;
  const now = new Date();
  const encoding = encodingJob({ name: 'conference-day-2.mp4', now, progress: 42, remainingSeconds: 130 });
  await storeJobs(running.stage, [encoding, ...pastJobs(140, { until: now, everyMinutes: 300 })]);
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hooks/media` });
  await submit({ name: 'missing.mp4', webhookUrl: 'https://courses.example/hooks/media' });
  const rejected = await submit({ name: 'missing.mp4' });
  const thumbnails = await submit({
    name: 'film.mp4',
    recipe: { name: 'thumbnails', every: 0.5 },
    format: 'jpg',
  });
  const video = await submit({ name: 'mountain-pass.mp4' });
  for (const { jobId } of [rejected, thumbnails, video]) await ended(jobId);
  const outputs = await endedOutputsJob(dashboard, 'lesson-12.mp4');
  await createProvider(dashboard);
  const recipe = { name: 'hls', maxHeight: 720 };
  const course = { name: 'course-video', title: 'Course video', description: 'Stream for the academy, up to 720p.' };
  await running.api('POST', '/api/v1/presets', {
    ...course,
    request: { mode: 'recipe', output: { format: 'm3u8' }, recipe },
    allow: ['recipe.maxHeight'],
  });
  await createKeys(dashboard, ['Build server', 'Upload form of the web shop']);
  return { rejected, thumbnails, video, encoding, outputs };
}

function screenshotsOf({
  rejected,
  thumbnails,
  video,
  encoding,
  outputs,
}: Awaited<ReturnType<typeof fillAccount>>): Screenshot[] {
  const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
  const job = `/jobs/${video.jobId}`;
  return [
    { name: 'jobs', path: '/jobs', ready: (page) => page.getByText('keynote-2026.mp4').first().waitFor() },
    { name: 'job', path: job, ready: showVideoFrame },
    { name: 'job-compare', path: job, ready: compare },
    { name: 'job-encoding', path: `/jobs/${encoding.jobId}`, ready: heading('Progress') },
    { name: 'job-images', path: `/jobs/${thumbnails.jobId}`, ready: waitForResult },
    { name: 'job-outputs', path: `/jobs/${outputs.jobId}`, ready: heading('6 outputs') },
    { name: 'job-rejected', path: `/jobs/${rejected.jobId}`, ready: heading('Timeline') },
    { name: 'job-request', path: `${job}?tab=request`, ready: heading('Request') },
    {
      name: 'job-webhooks',
      path: `${job}?tab=webhooks`,
      ready: (page) => page.getByText('Delivered').waitFor(),
    },
    { name: 'job-log', path: `${job}?tab=log`, ready: heading('Log') },
    { name: 'new-job', path: '/new', ready: fillIn },
    { name: 'new-job-clip', path: '/new', ready: fillInClip },
    { name: 'new-job-outputs', path: '/new', ready: addOutputs },
    {
      name: 'webhooks',
      path: '/webhooks',
      ready: (page) => page.getByRole('list', { name: 'Webhooks' }).waitFor(),
    },
    { name: 'presets', path: '/presets', ready: (page) => page.getByText('course-video@1').waitFor() },
    { name: 'keys', path: '/keys', ready: (page) => page.getByText('nte_').first().waitFor() },
    { name: 'new-key', path: '/keys', ready: openNewKey },
    { name: 'storage', path: '/storage', ready: (page) => page.getByText('Write: failed').waitFor() },
    { name: 'settings', path: '/settings', ready: heading('Signing secret') },
    { name: 'notification', path: '/settings', ready: saveSettings },
    {
      name: 'usage',
      path: '/usage',
      ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
    },
  ];
}

/** Creates API keys in the dashboard, since only a signed-in user can. */
async function createKeys(dashboard: Dashboard, names: readonly string[]): Promise<void> {
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

/** Creates a storage provider with a bucket that does not exist, and tests it. */
async function createProvider({ running }: Dashboard): Promise<void> {
  const { headers } = await running.api('POST', '/api/v1/storage-providers', {
    name: 'Archive',
    kind: 's3',
    bucket: 'video-archive',
    region: 'eu-central-1',
    prefix: 'masters/',
    access: { type: 'keys', accessKeyId: 'S3RVER', secretAccessKey: 'secret-of-no-one' },
  });
  await running.api('POST', `${headers.get('location')}/test`);
}

/** Fills the form with a stream and a picture. */
async function addOutputs(page: Page): Promise<void> {
  await page.getByLabel('Or paste a URL').fill('https://media.example/lesson-12.mov');
  await page.getByRole('radio', { name: 'HLS and DASH' }).click();
  await page.getByRole('button', { name: 'Add output' }).click();
  await page.getByLabel('Recipe of output-2').selectOption('thumbnail');
  await page.getByText('Estimating').waitFor({ state: 'hidden' });
  await page.evaluate('document.activeElement.blur()');
  await page.getByRole('heading', { name: 'Output 1' }).evaluate((heading) => heading.scrollIntoView());
}

/** Opens the form for a new key, and waits until its dialog stands still. */
async function openNewKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Nightly import');
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
}

/** Seeks to a frame with something to see, and waits until the browser hides its loading indicator. */
async function showVideoFrame(page: Page): Promise<void> {
  await waitForVideoFrame(page);
  await page.evaluate(`new Promise((resolve) => {
    const video = document.querySelector('video');
    video.currentTime = 2;
    let idleFrames = 0;
    const check = () => {
      const isIdle = !video.seeking && video.readyState === 4 && video.networkState === 1;
      idleFrames = isIdle ? idleFrames + 1 : 0;
      if (idleFrames > 40) resolve();
      else requestAnimationFrame(check);
    };
    check();
  })`);
}

/** Shows a frame of the input beside the result. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare with input' }).click();
  await page.getByRole('slider', { name: 'Position' }).fill('2');
  await page.evaluate(`new Promise((resolve) => {
    const check = () => {
      const videos = Array.from(document.querySelectorAll('video'));
      if (videos.every(({ seeking, readyState }) => !seeking && readyState === 4)) resolve();
      else requestAnimationFrame(check);
    };
    check();
  })`);
}

async function waitForResult(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Fills the form with a file and moves the handles of its clip. */
async function fillInClip(page: Page): Promise<void> {
  const file = { name: 'webinar.mp4', mimeType: 'video/mp4', buffer: await readFile(await aPlayableVideo()) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('radio', { name: 'Clip' }).click();
  for (let steps = 0; steps < 20; steps++) await page.getByRole('slider', { name: 'First frame' }).press('ArrowRight');
  await page.getByText('Estimating').waitFor({ state: 'hidden' });
  await page.evaluate('document.activeElement.blur()');
  await page.getByRole('heading', { name: 'Clip options' }).evaluate((heading) => heading.scrollIntoView());
}

/** Fills the form with a URL and a quality other than the default, and waits for the estimate. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Or paste a URL').fill('https://media.example/conference-day-2.mov');
  await page.getByRole('slider', { name: 'CRF' }).press('ArrowLeft');
  await page.getByText('Estimating').waitFor({ state: 'hidden' });
  // Remove the focus ring from the last control.
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
}

async function signInPage({ browser, running }: Dashboard, view: ViewOptions, path: string): Promise<void> {
  const { page, context } = await aVisitor(browser, running.stage.baseUrl, { look: view });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.screenshot({ path });
  await context.close();
}

/** An expression of the page: its fonts and the images on the screen are loaded. A lazy image that is hidden never loads. */
const pageIsLoaded = `Promise.all([
  document.fonts.ready,
  ...Array.from(document.images)
    .filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
    .map((image) => image.decode().catch(() => {})),
])`;

async function writeScreenshots(names: readonly string[]): Promise<void> {
  const dashboard = await aDashboard();
  try {
    const all = screenshotsOf(await fillAccount(dashboard));
    const screenshots = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
    await mkdir(directory, { recursive: true });
    for (const [view, options] of Object.entries(views)) {
      const { page, context } = await dashboard.user('/', options);
      for (const { name, path, ready } of screenshots) {
        await page.goto(`/app${path}`);
        await ready(page);
        await page.evaluate(pageIsLoaded);
        await page.screenshot({ path: join(directory, `${name}-${view}.png`) });
      }
      await context.close();
      if (names.length === 0) await signInPage(dashboard, options, join(directory, `sign-in-${view}.png`));
    }
    console.log('The screenshots are in docs/screenshots');
  } finally {
    await dashboard.stop();
  }
}

await runMain(async () => {
  const options = { help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) console.log(usage);
  else await writeScreenshots(positionals);
});
