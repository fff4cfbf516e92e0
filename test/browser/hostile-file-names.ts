import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Dashboard } from '../builders/dashboard/dashboard.ts';

/** A script that would change the title of the page. */
export const attack = `document.title='owned'`;
/** Of each hostile file name: what it contains, the name, and how the dashboard shows it. */
export const hostileNames = [
  ['markup', `<img src=x onerror="${attack}">.mp4`, `<img src=x onerror="${attack}">.mp4`],
  ['a direction override', 'holiday\u202egpj.mp4', 'holiday\ufffdgpj.mp4'],
  ['escape codes', '\u001b[2J\u001b]0;owned\u0007.mp4', '\ufffd[2J\ufffd]0;owned\ufffd.mp4'],
] as const;

/** Elements and control characters of a hostile name that took effect on a page. Expected: none. */
export async function activeContent(page: Page): Promise<string[]> {
  const images = await page.locator('img[src=x], img[onerror]').count();
  const text: string = await page.evaluate('document.documentElement.textContent + document.title');
  const controlCharacters = ['\u202e', '\u001b', '\u0007'].filter((character) => text.includes(character));
  return [...(images === 0 ? [] : ['an image']), ...controlCharacters];
}

/** Creates a job of an input called `name`, and expects `shown` as plain text in the list and on the job's page. */
export async function expectPlainText(
  dashboard: Pick<Dashboard, 'submit' | 'ended' | 'user'>,
  { name, shown }: { name: string; shown: string },
): Promise<void> {
  const { jobId } = await dashboard.submit({ name: `missing/${encodeURIComponent(name)}` });
  await dashboard.ended(jobId);
  const { page } = await dashboard.user('/jobs');
  await page.locator('[data-job]').getByText(shown, { exact: true }).first().click();
  await page.getByRole('heading', { name: shown, exact: true }).waitFor();
  expect(await page.title()).toBe(`${shown} · Media jobs`);
  expect(await activeContent(page)).toEqual([]);
}
