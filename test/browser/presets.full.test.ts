// @module-tag dashboard
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { overflowPixels, violationsOf } from './describe-accessibility.ts';
import { previewedRequest } from './previewed-request.ts';

const dashboard = aSharedDashboard();

it('the request of a job is saved as a preset, used for another job, and retired', async () => {
  const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe: { name: 'mute' } });
  const { page } = await dashboard.user(`/jobs/${jobId}?tab=request`);
  await page.getByLabel('Preset name').fill('silent-film');
  await page.getByRole('button', { name: 'Save preset' }).click();
  await page.getByText('Saved as silent-film@1').waitFor();
  await page.getByRole('link', { name: 'Show presets' }).click();
  const row = page.getByRole('row', { name: 'silent-film@1' });
  await row.getByText('Published').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await overflowPixels(page)).toBeLessThanOrEqual(0);

  await page.getByRole('link', { name: 'Use silent-film@1' }).click();
  await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/next.mp4`);
  expect(await previewedRequest(page)).toMatchObject({ mode: 'preset', preset: 'silent-film@1' });
  await page.getByRole('button', { name: 'Create job' }).click();
  await page.getByRole('heading', { name: 'next.mp4' }).waitFor();

  await page.getByRole('link', { name: 'Presets' }).click();
  await page.getByRole('button', { name: 'Retire silent-film@1' }).click();
  await row.getByText('Retired').waitFor();
  await page.getByRole('button', { name: 'Restore silent-film@1' }).click();
  await row.getByText('Published').waitFor();
});
