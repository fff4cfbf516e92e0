import type { Page } from 'playwright-core';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';

/** The jobs that the pages of the tour show. */
export type SampleJobs = { film: string; rejected: string; probed: string; encoding: string };

export type View = {
  name: string;
  path: (shown: SampleJobs) => string;
  /** Resolves once everything that the place is about can be seen. */
  ready: (page: Page) => Promise<unknown>;
};

const job =
  (id: keyof SampleJobs, tab = '') =>
  (shown: SampleJobs) =>
    `/jobs/${shown[id]}${tab === '' ? '' : `?tab=${tab}`}`;
const at = (path: string) => () => path;

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

/** Presses a button, and waits for the dialog that it opens. */
const dialogOf = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

const aFile = { name: 'a film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') };

const list: View[] = [
  {
    name: 'the list of jobs, some of them selected',
    path: at('/jobs'),
    ready: async (page) => {
      await page.getByText('about 2 min left').waitFor();
      await page.getByRole('row', { name: 'stuck.mp4' }).getByRole('checkbox').check();
      await page.getByRole('toolbar').waitFor();
    },
  },
  { name: 'a list without matches', path: at('/jobs?state=queued'), ready: heading('No jobs match') },
];

const jobs: View[] = [
  { name: 'a job with its film', path: job('film'), ready: waitForVideoFrame },
  {
    name: 'the film beside its input',
    path: job('film'),
    ready: (page) => page.getByRole('button', { name: 'Compare with the input' }).click(),
  },
  { name: 'a job that is encoded', path: job('encoding'), ready: text('about 2 min left') },
  { name: 'a rejected job', path: job('rejected'), ready: text('Input unreachable') },
  { name: 'what a probe has found', path: job('probed'), ready: text('"durationSeconds"') },
  { name: 'a request', path: job('film', 'request'), ready: heading('Request') },
  {
    name: 'webhook attempts',
    path: job('film', 'webhooks'),
    ready: async (page) => {
      await text('Attempt 3 · 500')(page);
      await page.getByText('Answer', { exact: true }).first().click();
    },
  },
  { name: 'a log', path: job('film', 'log'), ready: heading('Log') },
  { name: 'the question before a deletion', path: job('film'), ready: dialogOf('Delete') },
];

// No two beside each other are at the same path: going there closes what the one before has opened.
const account: View[] = [
  {
    name: 'a new job with something wrong in it',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Resize' }).click();
      await page.getByLabel('Width').fill('7');
      await text('At least 16')(page);
    },
  },
  { name: 'the keys', path: at('/keys'), ready: text('nte_') },
  {
    name: 'a new key',
    path: at('/keys'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('A program');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByLabel('The new API key').waitFor();
    },
  },
  {
    name: 'a new job of several inputs',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Concatenate' }).click();
      await page.locator('input[type=file]').first().setInputFiles(aFile);
      await text('a film.mp4')(page);
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
    name: 'a new job of several steps',
    path: at('/new'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a step before' }).click();
      await page.getByLabel('Recipe of step 1').selectOption('clip');
      await page.getByRole('heading', { name: 'Last step' }).waitFor();
    },
  },
  { name: 'the question before a key is revoked', path: at('/keys'), ready: dialogOf('Revoke local') },
  { name: 'the question before the secret is rotated', path: at('/settings'), ready: dialogOf('Rotate') },
  {
    name: 'the usage',
    path: at('/usage'),
    ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
  },
  { name: 'a page that is not there', path: at('/nowhere'), ready: heading('There is no such page') },
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

/** Every page of the dashboard with data in it, and its dialogs. */
export const views: readonly View[] = [...list, ...jobs, ...account];
