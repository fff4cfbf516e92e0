// @module-tag nightly
// @module-tag dashboard
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

it('an account without jobs runs its first one by one click, on a clip that the browser records', async () => {
  const { page } = await dashboard.user('/jobs');
  await page.getByRole('button', { name: 'Try it with a sample video' }).click();
  await page.waitForURL(/\/jobs\/[^/]+$/);
  const job = await dashboard.ended(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(job).toMatchObject({ state: 'completed', request: { recipe: { name: 'compress' } } });
  const { width, height, duration } = job.output_files?.output ?? {};
  expect([width, height]).toEqual([640, 360]);
  expect(duration).toBeGreaterThan(1);
  await page.getByText('Completed').first().waitFor();
});
