import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aVisitor } from '../builders/dashboard/browser.ts';
import {
  aDashboardWithVideos,
  type DashboardWithVideos,
} from '../builders/dashboard/dashboard-with-videos.ts';

let dashboard: DashboardWithVideos;

beforeAll(async () => {
  dashboard = await aDashboardWithVideos();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

const attack = `document.title='owned'`;
const names = [
  ['markup', `<img src=x onerror="${attack}">.mp4`, `<img src=x onerror="${attack}">.mp4`],
  ['a direction override', 'holiday\u202egpj.mp4', 'holiday\ufffdgpj.mp4'],
  ['escape codes', '\u001b[2J\u001b]0;owned\u0007.mp4', '\ufffd[2J\ufffd]0;owned\ufffd.mp4'],
] as const;

/** Elements and control characters of a hostile name that took effect on a page. Expected: none. */
async function activeContent(page: Page): Promise<string[]> {
  const images = await page.locator('img[src=x], img[onerror]').count();
  const text: string = await page.evaluate('document.documentElement.textContent + document.title');
  const controlCharacters = ['\u202e', '\u001b', '\u0007'].filter((character) => text.includes(character));
  return [...(images === 0 ? [] : ['an image']), ...controlCharacters];
}

describe('a hostile name', () => {
  it.each(names)(
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
