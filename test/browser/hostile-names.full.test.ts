import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
    'of an uploaded file (%s) is plain text on every page of its job',
    async (_, name, shown) => {
      const { page } = await dashboard.user('/new');
      await page.locator('input[type=file]').setInputFiles(await dashboard.films.called(name));
      await page.getByText(shown, { exact: true }).waitFor();
      expect(await activeContent(page)).toEqual([]);
      await page.getByRole('button', { name: 'Upload and create job' }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      for (const tab of ['Overview', 'Request', 'Webhooks', 'Log']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await activeContent(page)).toEqual([]);
      }
      await page.getByRole('link', { name: 'Jobs' }).first().click();
      await page.locator('[data-job]').first().waitFor();
      expect(await activeContent(page)).toEqual([]);
    },
  );
});
