import type { Page } from 'playwright-core';

/** The request preview of the form. */
export async function previewedRequest(page: Page): Promise<unknown> {
  return JSON.parse((await page.getByLabel('Request as JSON', { exact: true }).textContent()) ?? '');
}
