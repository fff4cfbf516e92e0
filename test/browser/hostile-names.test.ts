import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aVisitor } from '../builders/dashboard/browser.ts';
import {
  aDashboardWithVideos,
  type DashboardWithVideos,
} from '../builders/dashboard/dashboard-with-videos.ts';
import { attack, expectPlainText, hostileNames } from './hostile-file-names.ts';

let dashboard: DashboardWithVideos;

beforeAll(async () => {
  dashboard = await aDashboardWithVideos();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

it('markup in the name of an input is plain text in the list, on its page and in its title', async () => {
  const [, name, shown] = hostileNames[0];
  await expectPlainText(dashboard, { name, shown });
});

it('the content security policy blocks an injected script, and the test detects it', async () => {
  const visitor = await aVisitor(dashboard.browser, dashboard.running.stage.baseUrl);
  await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
  const markup = JSON.stringify(`<img src=x onerror="${attack}">`);
  await visitor.page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${markup})`);
  await expect.poll(() => visitor.problems.length).toBeGreaterThan(0);
  expect(await visitor.page.title()).not.toBe('owned');
});
