// @module-tag dashboard
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import {
  aSampleDashboard,
  describeAccessibility,
  navigate,
  overflowPixels,
  violationsOf,
} from './describe-accessibility.ts';

const dashboard = aSharedDashboard(aSampleDashboard);

describeAccessibility('in the light scheme', { scheme: 'light' }, dashboard);
describeAccessibility('in the dark scheme', { scheme: 'dark' }, dashboard);
describeAccessibility('at 320 pixels', { scheme: 'light', width: 320 }, dashboard);

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

it('the menu closes by Escape, by the link of its own page, and when the focus moves to the page', async () => {
  const { page } = await dashboard.user('/keys', { width: 375 });
  const menu = page.getByRole('button', { name: 'Menu' });
  const link = page.getByRole('link', { name: 'API keys' });
  const focusedId = () => page.evaluate('document.activeElement.id || document.activeElement.ariaLabel');

  await menu.click();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'hidden' });
  expect(await focusedId()).toBe('Menu');

  await menu.click();
  await link.click();
  await link.waitFor({ state: 'hidden' });
  expect(await focusedId()).toBe('page');

  await menu.click();
  await page.getByRole('button', { name: 'Sign out' }).focus();
  await page.keyboard.press('Tab');
  await link.waitFor({ state: 'hidden' });
});

it('the title of the window and the name of the page are those of what is shown', async () => {
  const { page } = await dashboard.user('/keys');
  for (const [path, title] of [
    ['/usage', 'Usage'],
    ['/nowhere', 'Page not found'],
    ['/jobs/01a217ea-0000-7000-8000-000000000000', 'Job not found'],
  ] as const) {
    await navigate(page, path);
    await page.getByRole('main', { name: title }).waitFor();
    await expect.poll(() => page.title()).toBe(`${title} · Media jobs`);
  }
});

/** The part of a window that the test uses: the project's types have no DOM. */
type Styles = { getComputedStyle(element: unknown): { backgroundColor: string } };

it('forced colors keep what is selected, checked and done visible', async () => {
  const { page } = await dashboard.user('/jobs');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important; }' });
  const checkbox = page.getByRole('row', { name: 'stuck.mp4' }).getByRole('checkbox');
  await checkbox.check();
  const backgroundOf = (element: Locator): Promise<string> =>
    element.evaluate((node: unknown) => (globalThis as unknown as Styles).getComputedStyle(node).backgroundColor);
  const other = page.getByRole('row', { name: 'conference.mp4' });
  const unchecked = await backgroundOf(other.getByRole('checkbox'));
  expect(await backgroundOf(checkbox)).not.toBe(unchecked);
  const all = page.getByRole('link', { name: 'All', exact: true });
  const queued = await backgroundOf(page.getByRole('link', { name: 'Queued' }));
  expect(await backgroundOf(all)).not.toBe(queued);
  const canvas = await backgroundOf(page.locator('body'));
  expect(await backgroundOf(other.getByRole('progressbar'))).not.toBe(canvas);
  await navigate(page, `/jobs/${dashboard.sampleJobs.completed}`);
  const tab = (name: string) => page.getByRole('tab', { name });
  const unselected = await backgroundOf(tab('Log'));
  expect(await backgroundOf(tab('Overview'))).not.toBe(unselected);
});

/** The Cumulative Layout Shift since the page was loaded (web.dev/cls). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  })`);
}

it('every page fits into windows from 320 to 1600 pixels', async () => {
  const { page } = await dashboard.user('/jobs');
  const overflow: Record<string, number> = {};
  for (const [path, title] of [
    ['/jobs', 'Jobs'],
    [`/jobs/${dashboard.sampleJobs.completed}`, 'film.mp4'],
    ['/new', 'New job'],
    ['/usage', 'Usage'],
    ['/storage', 'Storage'],
    ['/keys', 'API keys'],
    ['/webhooks', 'Webhooks'],
    ['/settings', 'Settings'],
  ] as const) {
    await navigate(page, path);
    const main = page.getByRole('main', { name: title, exact: true });
    const [heading, table, list] = [
      main.getByRole('heading', { level: 2 }),
      main.getByRole('table'),
      main.getByRole('list'),
    ];
    await heading.or(table).or(list).first().waitFor();
    for (const width of [320, 360, 640, 768, 992, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      overflow[`${path} at ${width}`] = await overflowPixels(page);
    }
  }
  expect(Object.entries(overflow).filter(([, pixels]) => pixels > 0)).toEqual([]);
});

it('the table of the outputs of a job is whole on a phone', async () => {
  const { page } = await dashboard.user(`/jobs/${dashboard.sampleJobs.outputs}`, { width: 390 });
  await page.getByRole('table', { name: 'Outputs' }).waitFor();
  const hiddenPixels = await page.evaluate(`[...document.querySelectorAll('[aria-label^="Outputs"]')]
    .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`);
  expect(hiddenPixels).toEqual([0, 0]);
});

it.each(['/jobs', '/storage', '/keys', '/settings', '/usage', '/new'])(
  '%s has no layout shift while it loads',
  async (path) => {
    const { page } = await dashboard.user(path);
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBeLessThan(0.02);
  },
);

it('the page of a job has no layout shift while it loads', async () => {
  const { page } = await dashboard.user(`/jobs/${dashboard.sampleJobs.completed}`);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
