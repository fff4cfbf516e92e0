// @module-tag nightly
// @module-tag dashboard
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

/** Whether an element has the focus. The project's types have no DOM. */
const hasFocus = (element: unknown) =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement;

/** Whether the element with the focus shows it, by an outline, or as fields do by their border, inside of the window. */
const showsFocus = `(() => {
  const focused = document.activeElement;
  // After the last element the focus leaves the page, as to the address bar, and comes back to the first.
  if (focused === document.body) return !document.hasFocus();
  const { top, bottom } = focused.getBoundingClientRect();
  const outlines = [getComputedStyle(focused), getComputedStyle(focused, '::after')];
  const isShown = outlines.some(({ outlineStyle }) => outlineStyle !== 'none') || focused.matches('input, select');
  return isShown && top < window.innerHeight && bottom > 0;
})()`;

/** Presses Tab until the element has the focus. Every stop on the way shows its focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < 70; stops += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(showsFocus), await focusedElement(page)).toBe(true);
    if (await target.evaluate(hasFocus)) return;
  }
  throw new Error(`Expected Tab to reach ${target}, got to ${await focusedElement(page)}`);
}

async function press(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }).filter({ visible: true }).first());
  await page.keyboard.press('Enter');
}

function focusedElement(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.outerHTML.slice(0, 200)');
}

it('a user signs in, runs a sample, and cancels, retries and deletes a job by keyboard alone', async () => {
  const { page } = await dashboard.visitor('/jobs');
  await press(page, 'Sign in');
  await page.getByRole('button', { name: 'Continue as Demo User' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Continue as Demo User' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  await press(page, 'Try it with a sample video');
  await page.waitForURL(/\/jobs\/[^/]+$/);
  await page.getByText('Completed').first().waitFor();

  await page.keyboard.press('n');
  const url = page.getByLabel('Or paste a URL');
  await tabTo(page, url);
  await page.keyboard.type(`${dashboard.customer.origin}/stuck.mp4`);
  await press(page, 'Create job');
  await press(page, 'Cancel');
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  // The Cancel button is gone: Tab continues at the action that replaces it.
  await page.keyboard.press('Tab');
  expect(await page.getByRole('button', { name: 'Retry' }).evaluate(hasFocus)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('the original job').waitFor();
  await press(page, 'Cancel');
  await press(page, 'Delete');
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).evaluate(hasFocus)).toBe(true);
  await press(page, 'Delete job');
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
  await expect.poll(() => page.locator('#page').evaluate(hasFocus)).toBe(true);
});

it('the focus stays in the list when the toolbar of selected jobs disappears', async () => {
  const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
  await dashboard.ended(jobId);
  const { page } = await dashboard.user('/jobs');
  const list = page.getByRole('group', { name: 'List of jobs' });
  await page.getByRole('row', { name: 'missing.mp4' }).waitFor();
  for (const endSelection of [() => press(page, 'Clear'), () => press(page, 'Retry jobs')]) {
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    await endSelection();
    await page.getByRole('toolbar').waitFor({ state: 'hidden' });
    expect(await list.evaluate(hasFocus)).toBe(true);
  }
});

it('the toolbar of selected jobs does not cover the last job', async () => {
  for (let count = 0; count < 12; count += 1) await dashboard.submit({ name: `missing-${count}.mp4` });
  const { page } = await dashboard.user('/jobs', { width: 360 });
  await page.getByLabel('Select all loaded jobs').check();
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  const last = await page.locator('[data-job]').last().boundingBox();
  const toolbar = await page.getByRole('toolbar').boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(toolbar?.y ?? 0);
});

it('the focus moves to the page when the item with the focus is removed', async () => {
  const { page } = await dashboard.user('/keys');
  await press(page, 'Create key');
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type('A program');
  await page.keyboard.press('Enter');
  await page.getByLabel('New API key').waitFor();
  await press(page, 'Done');
  await press(page, 'Revoke A program');
  await press(page, 'Revoke key');
  await page.getByText('API key revoked').waitFor();
  expect(await page.locator('#page').evaluate(hasFocus)).toBe(true);
});

it('a button keeps the focus while its action takes a while, and acts once', async () => {
  const { page } = await dashboard.user('/keys');
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/api/v1/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    requests += 1;
    await mayAnswer;
    return route.fulfill({ status: 400, json: { error: { code: 'INVALID_REQUEST', message: 'No' } } });
  });
  await press(page, 'Create key');
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type('A program');
  await press(page, 'Create');
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').press('Enter');
  await create.focus();
  answer();
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false');
  expect([requests, await create.evaluate(hasFocus)]).toEqual([1, true]);
});
