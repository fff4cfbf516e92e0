// @module-tag dashboard
import { expect, it } from 'vitest';
import { aDashboardWithVideos } from '../builders/dashboard/dashboard-with-videos.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { tenJobs } from './ten-jobs.ts';

const dashboard = aSharedDashboard(aDashboardWithVideos);

it.each(tenJobs)('$name', async ({ source, fill, shows }) => {
  const { page } = await dashboard.user('/new');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await dashboard.videoFiles.called(source));
  await page.getByLabel('Source').locator('video').waitFor();
  await fill(page);
  await page.getByRole('button', { name: 'Upload and create job' }).click();
  await page.waitForURL(/\/jobs\//);
  const [jobId = ''] = /[^/]+$/.exec(page.url()) ?? [];
  expect(await dashboard.ended(jobId)).toMatchObject({ state: 'completed' });
  await shows(page);
});
