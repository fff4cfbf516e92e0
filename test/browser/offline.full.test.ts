// @module-tag nightly
// @module-tag dashboard
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

it('a list says that it is not up to date while there is no network, and is updated afterwards', async () => {
  await dashboard.submit({ name: 'stuck.mp4' });
  const { page, context } = await dashboard.user('/jobs');
  await page.getByRole('link', { name: 'stuck.mp4' }).waitFor();
  await context.setOffline(true);
  await page.getByText('Could not update the list').waitFor();
  await page.getByText('The API could not be reached.').waitFor();
  await context.setOffline(false);
  await page.getByText('Could not update the list').waitFor({ state: 'hidden' });
});

it('an action without a network fails at once, and is not repeated later', async () => {
  const { page, context } = await dashboard.user('/settings');
  await page.getByLabel('URL', { exact: true }).fill('https://customer.example/hooks');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The API could not be reached.').waitFor();
  await context.setOffline(false);
  const { body } = await dashboard.running.api('GET', '/api/v1/settings');
  expect(body).toMatchObject({ defaultWebhookUrl: null });
});

it('a page that cannot be loaded says so, and comes back with the network', async () => {
  const { page, context } = await dashboard.user('/jobs');
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Storage', exact: true }).click();
  await page.getByText('This page could not be loaded. Check your connection, then reload.').waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('This page could not be loaded').waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor();
});
