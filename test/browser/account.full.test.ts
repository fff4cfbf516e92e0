// @module-tag dashboard
import { describe, expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';

const dashboard = aSharedDashboard();

async function statusWith(key: string): Promise<number> {
  const { baseUrl } = dashboard.running.stage;
  return (await fetch(`${baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': key } })).status;
}

it('an API key is shown once, works over HTTP, and is rejected as soon as it is revoked', async () => {
  const { page } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('<b>Build server</b>');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await page.getByLabel('New API key').textContent()) ?? '';
  expect(await statusWith(key)).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('<b>Build server</b>').waitFor();
  expect(await page.content()).not.toContain(key);

  await page.getByRole('button', { name: 'Revoke <b>Build server</b>' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('API key revoked').waitFor();
  expect(await statusWith(key)).toBe(401);
});

it('an API key has the chosen scopes, and an expiry', async () => {
  const { page } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Uploader');
  for (const name of ['jobs:read', 'jobs:write', 'settings', 'deliveries', 'presets']) {
    await page.getByRole('checkbox', { name }).uncheck();
  }
  await page.getByLabel('Expires').selectOption('In one hour');
  await page.getByLabel('Unfinished jobs').fill('3');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await page.getByLabel('New API key').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Uploader' });
  await row.getByText('uploads; at most 3 unfinished jobs').waitFor();
  await row.getByText(/, expires /).waitFor();
  expect(await statusWith(key)).toBe(403);
});

it('a key takes dollars and cents as its caps, each digit typed', async () => {
  const { page } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Capped');
  await page.getByLabel('Dollars per day').pressSequentially('0.5');
  await page.getByLabel('Dollars per month').pressSequentially('12.25');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Capped' });
  await row.getByText('at most $0.50 a day; at most $12.25 a month').waitFor();
});

it('a dialog does not close while its key is created', async () => {
  const { page } = await dashboard.user('/keys');
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/v1/keys', async (request) => {
    if (request.request().method() === 'POST') await mayAnswer;
    await request.continue();
  });
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Slow');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('button[data-loading]').waitFor();
  await page.keyboard.press('Escape');
  answer();
  await page.getByLabel('New API key').waitFor();
});

it('a new API key stays visible until the user closes the dialog, whatever key is pressed', async () => {
  const { page } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('A program');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByLabel('New API key').waitFor();
  for (const key of ['Escape', 'n', '1']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(page.url()).toMatch(/\/keys$/);
});

it('shortcuts open pages until they are disabled', async () => {
  const { page } = await dashboard.user('/settings');
  const showShortcuts = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('8');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await showShortcuts.click();
  await page.getByRole('switch', { name: 'Enable shortcuts' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.reload();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.keyboard.press('2');
  await showShortcuts.click();
  await page.getByRole('dialog').waitFor();
  expect(page.url()).toMatch(/\/keys$/);
});

describe('the settings page', () => {
  it('saves a default webhook and sends a test event', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByLabel('URL', { exact: true }).fill(`${dashboard.customer.origin}/hook`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Default webhook saved').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Delivered: the receiver answered 204.').waitFor();
    dashboard.customer.receiver.status = 500;
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Not delivered: the receiver answered 500.').waitFor();
  });

  it('shows why a URL is invalid', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByLabel('URL', { exact: true }).fill('ftp://example.com/hook');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('must start with').waitFor();
  });

  it('shows the signing secret on request, and a new one after a rotation', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByRole('button', { name: 'Show' }).click();
    const secret = page.getByLabel('Signing secret', { exact: true }).last();
    await expect.poll(() => secret.textContent()).toMatch(/^whsec_[\w+/=]{44}$/);
    const before = await secret.textContent();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The previous secret also signs webhooks until').waitFor();
    expect(await secret.textContent()).not.toBe(before);
  });
});

describe('the usage page', () => {
  it('shows the limits of the account with their use', async () => {
    const { page } = await dashboard.user('/usage');
    await page.getByText('Unfinished jobs: 0 of 1,000').waitFor();
    await page.getByText('Redeliveries of one job: at most 10').waitFor();
  });

  it('has charts and a table by day', async () => {
    const until = new Date();
    await storeJobs(dashboard.running.stage, pastJobs(40, { until, everyMinutes: 300 }));
    const { days } = (await dashboard.running.api('GET', '/api/v1/usage')).body as {
      days: { date: string; jobs: Record<string, number>; mediaSeconds: number }[];
    };
    const busy = days.filter(({ jobs }) => Object.values(jobs).some((count) => count > 0));
    const { page } = await dashboard.user('/usage');
    const charts = page.getByRole('img', { name: / by (state and )?day/ });
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    expect(await charts.count()).toBe(3);
    const rows = await page.getByRole('table', { name: 'Usage by day' }).getByRole('row').allTextContents();
    expect(rows.length).toBe(busy.length + 1);
    const newest = busy.at(-1);
    const sum = Object.values(newest?.jobs ?? {}).reduce((all, count) => all + count, 0);
    expect(rows[1]).toContain(`${sum}${newest?.jobs.completed}`);
    for (const [name, label] of [
      ['Usage by recipe', 'compress'],
      ['Usage by API key', 'Without a key'],
    ])
      await page.getByRole('table', { name }).getByRole('rowheader', { name: label }).waitFor();
    const heights = await page.locator('.recharts-bar-rectangle path').evaluateAll((bars) => bars.length);
    expect(heights).toBeGreaterThanOrEqual(3 * busy.length);
  });
});
