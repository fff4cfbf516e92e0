import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aVisitor, filmIsThere, type Look } from '../builders/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stored-jobs.ts';

let dashboard: Dashboard;
let film: string;
let rejected: string;

beforeAll(async () => {
  dashboard = await aDashboard();
  const { running, customer, submit, ended } = dashboard;
  await storeJobs(running.stage, pastJobs(60, { until: new Date(), everyMinutes: 300 }));
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hook` });
  customer.receiver.status = 500;
  rejected = (await ended((await submit({ name: 'missing.mp4' })).jobId)).jobId;
  film = (await ended((await submit({ name: 'film.mp4' })).jobId)).jobId;
  await submit({ name: 'stuck.mp4' });
});
afterAll(() => dashboard?.stop());

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };

/** What axe finds against WCAG 2.2 AA and its own best practices. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
    violations: Finding[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
}

/** How much of what was there has moved since the page was loaded (Cumulative Layout Shift, web.dev). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  })`);
}

type Place = { name: string; path: () => string; ready: (page: Page) => Promise<unknown> };

const places: Place[] = [
  {
    name: 'the list of jobs, some of them selected',
    path: () => '/jobs',
    ready: async (page) => {
      await page.getByRole('row', { name: 'stuck.mp4' }).getByRole('checkbox').check();
      await page.getByRole('toolbar').waitFor();
    },
  },
  { name: 'a list without matches', path: () => '/jobs?state=queued', ready: heading('No jobs match') },
  { name: 'a job with its film', path: () => `/jobs/${film}`, ready: filmIsThere },
  {
    name: 'the film beside its input',
    path: () => `/jobs/${film}`,
    ready: (page) => page.getByRole('button', { name: 'Compare with the input' }).click(),
  },
  { name: 'a rejected job', path: () => `/jobs/${rejected}`, ready: text('Input unreachable') },
  { name: 'a request', path: () => `/jobs/${film}?tab=request`, ready: heading('Request') },
  {
    name: 'webhook attempts',
    path: () => `/jobs/${film}?tab=webhooks`,
    ready: async (page) => {
      await text('Attempt 3 · 500')(page);
      await page.getByText('Answer', { exact: true }).first().click();
    },
  },
  { name: 'a log', path: () => `/jobs/${film}?tab=log`, ready: heading('Log') },
  {
    name: 'the question before a deletion',
    path: () => `/jobs/${film}`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a new job with something wrong in it',
    path: () => '/new',
    ready: async (page) => {
      await page.getByRole('radio', { name: /^Resize/ }).click();
      await page.getByLabel('Width').fill('7');
      await text(/too small/i)(page);
    },
  },
  { name: 'the keys', path: () => '/keys', ready: text('nte_') },
  {
    name: 'a new key',
    path: () => '/keys',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('A program');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByLabel('The new API key').waitFor();
    },
  },
  {
    name: 'the settings with the secret shown',
    path: () => '/settings',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Show' }).click();
      await text('whsec_')(page);
    },
  },
  {
    name: 'the usage',
    path: () => '/usage',
    ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
  },
  { name: 'a page that is not there', path: () => '/nowhere', ready: heading('There is no such page') },
  {
    name: 'the shortcuts',
    path: () => '/keys',
    ready: async (page) => {
      await text('nte_')(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
];

function heading(name: string) {
  return (page: Page) => page.getByRole('heading', { name }).first().waitFor();
}

function text(words: string | RegExp) {
  return (page: Page) => page.getByText(words).first().waitFor();
}

const looks: [string, Look][] = [
  ['in the light', { scheme: 'light' }],
  ['in the dark', { scheme: 'dark' }],
  ['at 375 pixels', { scheme: 'light', width: 375 }],
];

describe.each(looks)('%s', (_, look) => {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    ({ page, problems } = await dashboard.user('/', look));
  });

  it.each(places)('axe has nothing against $name', async ({ path, ready }) => {
    // As a link does: loading the application anew for each would take most of the time.
    await page.evaluate(`history.pushState({}, '', '/app${path()}')`);
    await ready(page);
    expect(await findings(page)).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(wide, 'pixels that the page is wider than its window').toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });

  it('axe has nothing against the page to sign in', async () => {
    const visitor = await aVisitor(dashboard.browser, dashboard.running.stage.baseUrl, { look });
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await findings(visitor.page)).toEqual([]);
  });
});

it.each(['/jobs', '/keys', '/settings', '/usage', '/new'])('nothing moves while %s loads', async (path) => {
  const { page } = await dashboard.user(path);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
