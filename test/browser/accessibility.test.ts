import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ViewOptions } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';
import { encodingJob, pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { type SampleJobs, views } from './views.ts';

let dashboard: Dashboard;
let shown: SampleJobs;

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
  shown = {
    encoding: encoding.jobId,
    rejected: await idOf({ name: 'missing.mp4' }),
    probed: await idOf({ name: 'film.mp4', recipe: { name: 'probe' }, format: 'json' }),
    film: await idOf({ name: 'film.mp4' }),
  };
  await submit({ name: 'stuck.mp4' });
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };

/**
 * What axe finds against WCAG 2.2 AA and its own best practices; what version 2.2 says of the size of targets it looks at
 * only when told to.
 */
async function findings(page: Page): Promise<string[]> {
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

/** How much of what was there has moved since the page was loaded (Cumulative Layout Shift, web.dev). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  })`);
}

/** Pixels by which the page is wider than its window. */
function excessWidth(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

/** As a link does: loading the application anew for each would take most of the time. */
function go(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`history.pushState({}, '', '/app${path}')`);
}

const looks: [string, ViewOptions][] = [
  ['in the light', { scheme: 'light' }],
  ['in the dark', { scheme: 'dark' }],
  ['at 375 pixels', { scheme: 'light', width: 375 }],
];

describe.each(looks)('%s', (_, look) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.user('/', look));
  });

  it.each(views)('axe has nothing against $name', async ({ path, ready }) => {
    await go(page, path(shown));
    await ready(page);
    expect(await findings(page)).toEqual([]);
    expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  });

  it('axe has nothing against the page to sign in', async () => {
    const visitor = await dashboard.visitor('/', look);
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await findings(visitor.page)).toEqual([]);
  });
});

it('axe has nothing against the menu of a narrow window', async () => {
  const { page } = await dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).waitFor();
  expect(await findings(page)).toEqual([]);
});

it('the focus goes to the page that a link of the menu leads to', async () => {
  const { page } = await dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('page');
});

it('fits into windows from 375 to 1600 pixels', async () => {
  const { page } = await dashboard.user('/jobs');
  const excess: Record<string, number> = {};
  for (const path of ['/jobs', `/jobs/${shown.film}`, '/new', '/usage', '/keys', '/settings']) {
    await go(page, path);
    await page
      .getByRole('heading', { level: 2 })
      .or(page.getByRole('table'))
      .or(page.getByRole('list'))
      .first()
      .waitFor();
    for (const width of [375, 640, 768, 992, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      excess[`${path} at ${width}`] = await excessWidth(page);
    }
  }
  expect(Object.entries(excess).filter(([, pixels]) => pixels > 0)).toEqual([]);
});

it.each(['/jobs', '/keys', '/settings', '/usage', '/new'])('nothing moves while %s loads', async (path) => {
  const { page } = await dashboard.user(path);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

it('nothing moves while a job loads', async () => {
  const { page } = await dashboard.user(`/jobs/${shown.film}`);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
