import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aVisitor } from '../builders/dashboard/browser.ts';
import {
  aDashboardWithVideos,
  type DashboardWithVideos,
} from '../builders/dashboard/dashboard-with-videos.ts';
import { activeContent, attack, hostileNames } from './hostile-file-names.ts';

let dashboard: DashboardWithVideos;

beforeAll(async () => {
  dashboard = await aDashboardWithVideos();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

describe('a hostile name', () => {
  it.each(hostileNames)(
    'in a URL (%s) is plain text in the list, on its page and in its title',
    async (_, name, shown) => {
      const { jobId } = await dashboard.submit({ name: `missing/${encodeURIComponent(name)}` });
      await dashboard.ended(jobId);
      const { page } = await dashboard.user('/jobs');
      await page.locator('[data-job]').getByText(shown, { exact: true }).first().click();
      await page.getByRole('heading', { name: shown, exact: true }).waitFor();
      expect(await page.title()).toBe(`${shown} · Media jobs`);
      expect(await activeContent(page)).toEqual([]);
    },
  );
});

it('the content security policy blocks an injected script, and the test detects it', async () => {
  const visitor = await aVisitor(dashboard.browser, dashboard.running.stage.baseUrl);
  await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
  const markup = JSON.stringify(`<img src=x onerror="${attack}">`);
  await visitor.page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${markup})`);
  await expect.poll(() => visitor.problems.length).toBeGreaterThan(0);
  expect(await visitor.page.title()).not.toBe('owned');
});
