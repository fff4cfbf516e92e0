// @module-tag dashboard
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { overflowPixels, violationsOf } from './describe-accessibility.ts';

const dashboard = aSharedDashboard();

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
] as const)('the documentation is accessible in the %s scheme at %d pixels', async (scheme, width) => {
  const { page } = await dashboard.visitor('/docs', { scheme, width });
  for (const title of ['Recipes', 'API reference']) {
    await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowPixels(page)).toBeLessThanOrEqual(0);
  }
});

it('a term of the dashboard leads to its place in the documentation', async () => {
  const { page, context } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'About scopes' }).click();
  const docs = await opened;
  await docs.getByRole('heading', { name: 'Give a key only what it needs' }).waitFor();
  expect(new URL(docs.url()).pathname).toBe('/app/docs/api');
  await docs.getByRole('link', { name: 'Dashboard' }).click();
  await docs.waitForURL(/\/app\/(jobs)?/);
});
