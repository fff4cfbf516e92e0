// @module-tag dashboard
import { describe, expect, it } from 'vitest';
import { aVisitor } from '../builders/dashboard/browser.ts';
import { aDashboardWithVideos } from '../builders/dashboard/dashboard-with-videos.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { activeContent, attack, expectPlainText, hostileNames } from './hostile-file-names.ts';

const dashboard = aSharedDashboard(aDashboardWithVideos);

describe('a hostile name', () => {
  it.each(hostileNames)(
    'in a URL (%s) is plain text in the list, on its page and in its title',
    async (_, name, shown) => {
      await expectPlainText(dashboard, { name, shown });
    },
  );

  it.each(hostileNames)('of an uploaded file (%s) is plain text on every page of its job', async (_, name, shown) => {
    const { page } = await dashboard.user('/new');
    await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called(name));
    await page.getByText(shown, { exact: true }).waitFor();
    expect(await activeContent(page)).toEqual([]);
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    for (const [tab, heading] of [
      ['Overview', 'Result'],
      ['Request', 'Request'],
      ['Webhooks', 'Attempts'],
      ['Log', 'Log'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(await activeContent(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Jobs' }).first().click();
    await page.locator('[data-job]').first().waitFor();
    expect(await activeContent(page)).toEqual([]);
  });
});

it('the content security policy blocks an injected script, and the test detects it', async () => {
  const visitor = await aVisitor(dashboard.browser, dashboard.running.stage.baseUrl);
  await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
  const markup = JSON.stringify(`<img src=x onerror="${attack}">`);
  await visitor.page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${markup})`);
  await expect.poll(() => visitor.problems.length).toBeGreaterThan(0);
  expect(await visitor.page.title()).not.toBe('owned');
});
