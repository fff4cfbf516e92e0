// @module-tag dashboard
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

it('the page of webhooks has their payloads and their failing targets, and resends them in bulk', async () => {
  dashboard.customer.receiver.status = 500;
  const webhookUrl = `${dashboard.customer.origin}/hook`;
  for (const name of ['missing-1.mp4', 'missing-2.mp4']) await dashboard.submit({ name, webhookUrl });
  const { page } = await dashboard.user('/webhooks');
  const targets = page.getByRole('table', { name: 'Failing targets' });
  await targets.getByRole('cell', { name: '2', exact: true }).waitFor();
  const list = page.getByRole('list', { name: 'Webhooks' });
  await list.locator('summary').first().click();
  await list.getByText('Payload').click();
  await list.getByText('"INPUT_UNREACHABLE"').waitFor();

  dashboard.customer.receiver.status = 204;
  await page.getByRole('button', { name: 'Resend to 127.0.0.1' }).click();
  await page.getByText('2 of 2 webhooks resent').waitFor();
  await targets.waitFor({ state: 'hidden' });
  await page.getByText('Delivered', { exact: true }).first().click();
  expect(dashboard.customer.requests.filter(({ path }) => path === '/hook').length).toBe(8);
});

it('erases the account after its id is typed', async () => {
  const { page } = await dashboard.user('/settings');
  const erase = async (id: string) => {
    await page.getByRole('button', { name: 'Erase everything' }).click();
    await page.getByLabel('Account ID').fill(id);
    await page.getByRole('dialog').getByRole('button', { name: 'Erase everything' }).click();
  };
  await erase('another');
  const [, ownerId = ''] = /the id (\S+)/.exec((await page.getByText('Must be the id').textContent()) ?? '') ?? [];
  await erase(ownerId);
  await page.getByText('This account is being erased').waitFor();
});
