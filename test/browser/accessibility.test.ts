import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ViewOptions } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';
import { encodingJob, pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { type SampleJobs, views } from './views.ts';

let dashboard: Dashboard;
let sampleJobs: SampleJobs;

beforeAll(async () => {
  dashboard = await aDashboard();
  const { running, customer, submit, ended } = dashboard;
  const now = new Date();
  const encoding = encodingJob({ name: 'conference.mp4', now, progress: 42, remainingSeconds: 125 });
  await storeJobs(running.stage, [encoding, ...pastJobs(60, { until: now, everyMinutes: 300 })]);
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hook` });
  customer.receiver.status = 500;
  const idOf = async (request: Parameters<typeof submit>[0]) =>
    (await ended((await submit(request)).jobId)).jobId;
  sampleJobs = {
    encoding: encoding.jobId,
    rejected: await idOf({ name: 'missing.mp4' }),
    probed: await idOf({ name: 'film.mp4', recipe: { name: 'probe' }, format: 'json' }),
    completed: await idOf({ name: 'film.mp4' }),
  };
  await submit({ name: 'stuck.mp4' });
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };

/** Violations of WCAG 2.2 AA and of axe's best practices. The target size of WCAG 2.2 is off by default in axe. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })',
  )) as {
    violations: Finding[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
}

/** The Cumulative Layout Shift since the page was loaded (web.dev/cls). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  })`);
}

/** The width of the page beyond its window, in pixels. */
function overflowPixels(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

/** Navigates as a link does. A full reload per view would take most of the time. */
function navigate(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`history.pushState({}, '', '/app${path}')`);
}

const viewports: [string, ViewOptions][] = [
  ['in the light scheme', { scheme: 'light' }],
  ['in the dark scheme', { scheme: 'dark' }],
  ['at 375 pixels', { scheme: 'light', width: 375 }],
];

describe.each(viewports)('%s', (_, options) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.user('/', options));
  });

  it.each(views)('axe finds no violations in $name', async ({ path, ready }) => {
    await navigate(page, path(sampleJobs));
    await ready(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowPixels(page)).toBeLessThanOrEqual(0);
  });

  it('axe finds no violations in the sign-in page', async () => {
    const visitor = await dashboard.visitor('/', options);
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await violationsOf(visitor.page)).toEqual([]);
  });
});

it('axe finds no violations in the menu of a narrow window', async () => {
  const { page } = await dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

it('a link of the menu moves the focus to its page', async () => {
  const { page } = await dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('page');
});

it('every page fits into windows from 375 to 1600 pixels', async () => {
  const { page } = await dashboard.user('/jobs');
  const overflow: Record<string, number> = {};
  for (const path of ['/jobs', `/jobs/${sampleJobs.completed}`, '/new', '/usage', '/keys', '/settings']) {
    await navigate(page, path);
    await page
      .getByRole('heading', { level: 2 })
      .or(page.getByRole('table'))
      .or(page.getByRole('list'))
      .first()
      .waitFor();
    for (const width of [375, 640, 768, 992, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      overflow[`${path} at ${width}`] = await overflowPixels(page);
    }
  }
  expect(Object.entries(overflow).filter(([, pixels]) => pixels > 0)).toEqual([]);
});

it.each(['/jobs', '/keys', '/settings', '/usage', '/new'])(
  '%s has no layout shift while it loads',
  async (path) => {
    const { page } = await dashboard.user(path);
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBeLessThan(0.02);
  },
);

it('the page of a job has no layout shift while it loads', async () => {
  const { page } = await dashboard.user(`/jobs/${sampleJobs.completed}`);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
