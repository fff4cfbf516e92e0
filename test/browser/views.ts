import type { Page } from 'playwright-core';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';

/** The ids of the jobs that the views show. */
export type SampleJobs = { completed: string; rejected: string; probed: string; encoding: string; outputs: string };

export type View = {
  name: string;
  path: (shown: SampleJobs) => string;
  /** Resolves when the content of the view is visible. */
  ready: (page: Page) => Promise<unknown>;
};

const job =
  (id: keyof SampleJobs, tab = '') =>
  (shown: SampleJobs) =>
    `/jobs/${shown[id]}${tab === '' ? '' : `?tab=${tab}`}`;
const at = (path: string) => () => path;

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
const text = (pattern: string | RegExp) => (page: Page) => page.getByText(pattern).first().waitFor();

/** Clicks a button and waits for its dialog. */
const dialogOf = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** Changes the default webhook, and waits for the notification. */
export async function saveSettings(page: Page): Promise<void> {
  const url = page.getByLabel('URL', { exact: true });
  await url.fill(`${await url.inputValue()}-1`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Default webhook saved').waitFor();
}

/** A PNG of one pixel. */
export const pixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const pictureFile = { name: 'picture.png', mimeType: 'image/png', buffer: pixelPng };
const videoFile = { name: 'a video.mp4', mimeType: 'video/mp4', buffer: Buffer.from('video') };

const list: View[] = [
  {
    name: 'the list of jobs with a selection',
    path: at('/jobs'),
    ready: async (page) => {
      await page.getByText('about 2 min left').waitFor();
      await page.getByRole('row', { name: 'stuck.mp4' }).getByRole('checkbox').check();
      await page.getByRole('toolbar').waitFor();
    },
  },
  {
    name: 'a list without matching jobs',
    path: at('/jobs?state=queued'),
    ready: heading('No matching jobs'),
  },
];

const jobs: View[] = [
  { name: 'a job with its video', path: job('completed'), ready: waitForVideoFrame },
  {
    name: 'the comparison with the input',
    path: job('completed'),
    ready: (page) => page.getByRole('button', { name: 'Compare with input' }).click(),
  },
  { name: 'a job that is being encoded', path: job('encoding'), ready: text('about 2 min left') },
  { name: 'a rejected job', path: job('rejected'), ready: text('Input unreachable') },
  { name: 'the result of a probe', path: job('probed'), ready: text('"durationSeconds"') },
  { name: 'a job of several outputs', path: job('outputs'), ready: text('Skipped') },
  { name: 'a request', path: job('completed', 'request'), ready: heading('Request') },
  {
    name: 'webhook attempts',
    path: job('completed', 'webhooks'),
    ready: async (page) => {
      await text('Attempt 3 · 500')(page);
      await page.getByText('Response', { exact: true }).first().click();
    },
  },
  { name: 'a log', path: job('completed', 'log'), ready: heading('Log') },
  { name: 'the confirmation of a deletion', path: job('completed'), ready: dialogOf('Delete') },
];

// Neighbours have different paths: navigation closes the dialog of the previous view.
const account: View[] = [
  {
    name: 'a new job with an invalid parameter',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Resize' }).click();
      await page.getByLabel('Width').fill('7');
      await text('Must be at least 16')(page);
    },
  },
  { name: 'the storage providers with a failed test', path: at('/storage'), ready: text('Write: failed') },
  {
    name: 'a new storage provider by a role',
    path: at('/storage'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add storage provider' }).click();
      await page.getByText('"sts:AssumeRole"').waitFor();
    },
  },
  { name: 'the keys', path: at('/keys'), ready: text('nte_') },
  {
    name: 'a new key',
    path: at('/keys'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('A program');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByLabel('New API key').waitFor();
    },
  },
  {
    name: 'a new job with several inputs',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Concatenate' }).click();
      await page.locator('input[type=file]').first().setInputFiles(videoFile);
      await text('a video.mp4')(page);
    },
  },
  {
    name: 'the settings with the secret shown',
    path: at('/settings'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Show' }).click();
      await text('whsec_')(page);
    },
  },
  {
    name: 'a new job with several steps',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a step before' }).click();
      await page.getByLabel('Recipe of step 1').selectOption('clip');
      await page.getByRole('heading', { name: 'Last step' }).waitFor();
    },
  },
  {
    name: 'the webhooks with a failing target',
    path: at('/webhooks'),
    ready: async (page) => {
      await page.getByRole('table', { name: 'Failing targets' }).waitFor();
      await page.getByRole('list', { name: 'Webhooks' }).locator('summary').first().click();
      await page.getByText('Payload', { exact: true }).click();
    },
  },
  {
    name: 'a new job with handles over its source',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Watermark' }).click();
      await page.locator('input[type=file]').first().setInputFiles(pictureFile);
      await page.getByRole('button', { name: 'Top left' }).click();
    },
  },
  { name: 'the confirmation of an erasure', path: at('/settings'), ready: dialogOf('Erase everything') },
  { name: 'the confirmation of a revocation', path: at('/keys'), ready: dialogOf('Revoke local') },
  {
    name: 'a new job with several outputs',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add output' }).click();
      await page.getByRole('heading', { name: 'Output 2' }).waitFor();
    },
  },
  { name: 'a notification', path: at('/settings'), ready: saveSettings },
  { name: 'the confirmation of a rotation', path: at('/settings'), ready: dialogOf('Rotate') },
  {
    name: 'a new job with its estimate',
    path: at('/new'),
    ready: async (page) => {
      await page.getByLabel('Or paste a URL').fill('https://media.example/film.mp4');
      await page.getByText('By part').click();
      await page.getByRole('table', { name: 'Estimate by part' }).waitFor();
    },
  },
  {
    name: 'the usage',
    path: at('/usage'),
    ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
  },
  { name: 'an unknown page', path: at('/nowhere'), ready: heading('Page not found') },
  {
    name: 'the shortcuts',
    path: at('/keys'),
    ready: async (page) => {
      await text('nte_')(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
];

/** Every page of the dashboard with data, and every dialog. */
export const views: readonly View[] = [...list, ...jobs, ...account];
