import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

async function statusWith(key: string): Promise<number> {
  const { baseUrl } = dashboard.running.stage;
  return (await fetch(`${baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': key } })).status;
}

describe('an API key', () => {
  it('is shown once, works over HTTP, and is refused as soon as it is revoked', async () => {
    const { page } = await dashboard.user('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('<b>Build server</b>');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.getByLabel('The new API key').textContent()) ?? '';
    expect(await statusWith(key)).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('<b>Build server</b>').waitFor();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('button', { name: 'Revoke <b>Build server</b>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key is revoked').waitFor();
    expect(await statusWith(key)).toBe(401);
  });
});

it('a new API key stays in sight until it is put away, whatever key is pressed', async () => {
  const { page } = await dashboard.user('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('A program');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByLabel('The new API key').waitFor();
  for (const key of ['Escape', 'n', '1']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(page.url()).toMatch(/\/keys$/);
});

it('single keys lead from page to page, until they are turned off', async () => {
  const { page } = await dashboard.user('/settings');
  const explain = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('3');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await explain.click();
  await page.getByRole('switch', { name: 'Use these keys' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.reload();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.keyboard.press('2');
  await explain.click();
  await page.getByRole('dialog').waitFor();
  expect(page.url()).toMatch(/\/keys$/);
});

describe('the settings', () => {
  it('keep a default webhook and test it', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByLabel('URL').fill(`${dashboard.customer.origin}/hook`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The default webhook is saved').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It answered 204').waitFor();
    dashboard.customer.receiver.status = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It failed with 500').waitFor();
  });

  it('say what is wrong with a URL', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByLabel('URL').fill('ftp://example.com/hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must start with').waitFor();
  });

  it('show the signing secret when asked, and another one after a rotation', async () => {
    const { page } = await dashboard.user('/settings');
    await page.getByRole('button', { name: 'Show' }).click();
    const secret = page.getByLabel('Signing secret', { exact: true }).last();
    await expect.poll(() => secret.textContent()).toMatch(/^whsec_[\w+/=]{44}$/);
    const before = await secret.textContent();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText('The previous secret signs along until').waitFor();
    expect(await secret.textContent()).not.toBe(before);
  });
});

describe('the usage', () => {
  it('is drawn and told for each day', async () => {
    const until = new Date();
    await storeJobs(dashboard.running.stage, pastJobs(40, { until, everyMinutes: 300 }));
    const { days } = (await dashboard.running.api('GET', '/api/v1/usage')).body as {
      days: { date: string; jobs: Record<string, number>; mediaSeconds: number }[];
    };
    const busy = days.filter(({ jobs }) => Object.values(jobs).some((count) => count > 0));
    const { page } = await dashboard.user('/usage');
    const charts = page.getByRole('img', { name: /for each day/ });
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    expect(await charts.count()).toBe(2);
    const rows = await page
      .getByRole('table', { name: 'Usage day by day' })
      .getByRole('row')
      .allTextContents();
    expect(rows.length).toBe(busy.length + 1);
    const newest = busy.at(-1);
    const sum = Object.values(newest?.jobs ?? {}).reduce((all, count) => all + count, 0);
    expect(rows[1]).toContain(`${sum}${newest?.jobs.completed}`);
    const heights = await page.locator('.recharts-bar-rectangle path').evaluateAll((bars) => bars.length);
    expect(heights).toBeGreaterThanOrEqual(2 * busy.length);
  });
});
