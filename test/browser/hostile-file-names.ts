import type { Page } from 'playwright-core';

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
