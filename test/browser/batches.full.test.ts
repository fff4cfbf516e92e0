// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aDashboard } from '../builders/dashboard/dashboard.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { aWatchedAssembly } from '../builders/stage/watched-assembly.ts';
import { overflowPixels, violationsOf } from './describe-accessibility.ts';

const dashboard = aSharedDashboard(async () =>
  aDashboard(await aWatchedAssembly({ name: 'films', extension: 'json', request: { recipe: { name: 'probe' } } })),
);

async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await overflowPixels(page)).toBeLessThanOrEqual(0);
}

it('a watch is paused and resumed', async () => {
  const { page } = await dashboard.user('/watches');
  const row = page.getByRole('row', { name: 'films' });
  await row.getByText('active').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pause films' }).click();
  await row.getByText('paused').waitFor();
  await page.getByRole('button', { name: 'Resume films' }).click();
  await row.getByText('active').waitFor();
});

it('a batch shows its progress, its counts and the report of its failures', async () => {
  const { page } = await dashboard.user('/batches');
  await page.getByRole('heading', { name: 'No batches yet' }).waitFor();
  const { running, customer } = dashboard;
  const start = (body: object) => running.api('POST', '/api/v1/batches', body);
  await start({ manifestUrl: `${customer.origin}/missing`, preset: 'watched' });
  await start({ watch: 'films', again: ['raw/gone.mp4'] });
  const row = page.getByRole('row', { name: 'Backfill of films' });
  await row.getByText('completed').waitFor();
  await row.getByText('1 of 1').waitFor();
  await page.getByRole('row').getByText('failed', { exact: true }).waitFor();
  const report = await fetch((await row.getByRole('link', { name: 'Failures' }).getAttribute('href')) ?? '');
  expect(await report.json()).toMatchObject({ id: 'raw/gone.mp4', code: 'INPUT_UNREACHABLE' });
  await expectAccessible(page);
});
