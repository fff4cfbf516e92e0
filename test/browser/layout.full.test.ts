// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { encodingJob, pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';
import { overflowPixels, violationsOf } from './describe-accessibility.ts';

const dashboard = aSharedDashboard();
let longJobId: string;

const longName = 'a-name-without-any-space-'.repeat(6);

beforeAll(async () => {
  const { running, customer, ended } = dashboard;
  const now = new Date();
  const encoding = encodingJob({ name: 'conference.mp4', now, progress: 42, remainingSeconds: 125 });
  await storeJobs(running.stage, [encoding, ...pastJobs(140, { until: now, everyMinutes: 300 })]);
  const long = await submitJob(running.api, {
    maxCostUsd: 0.5,
    input: { url: `${customer.origin}/${longName}.mp4?signature=${'x'.repeat(1_000)}` },
    metadata: { [`key-${'k'.repeat(36)}`]: 'v'.repeat(200) },
  });
  longJobId = (await ended(long.jobId)).jobId;
});

// 640 is a window of 1280 at 200 % zoom; the others are both sides of each breakpoint.
const widths = [320, 360, 640, 768, 769, 896, 897, 991, 992, 1000, 1216, 1217, 1280, 1600];

/** The texts of the elements that are wider than their box. */
function cutTexts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`);
}

/** The minimum of a value over the elements: JavaScript of `box`, their rectangle in the window. */
function minimum(page: Page, selector: string, value: string): Promise<number> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')].map((element) => {
    const box = element.getBoundingClientRect();
    return ${value};
  }).toSorted((one, other) => one - other).at(0)`);
}

it('the list of jobs has room for every name, and cuts nothing else, at every width', async () => {
  const { page } = await dashboard.user('/jobs');
  await page.getByText('about 2 min left').waitFor();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => cutTexts(page, '[role="cell"]'), { message: `at ${width}` }).toEqual([]);
    const nameWidth = await minimum(page, '[data-job] [role="cell"]:has(a)', 'box.width');
    expect(nameWidth, `at ${width}`).toBeGreaterThan(120);
    expect(await overflowPixels(page), `at ${width}`).toBeLessThanOrEqual(0);
  }
});

it('the figures and the axes of the usage are whole at every width', async () => {
  const { page } = await dashboard.user('/usage');
  await page.locator('.recharts-bar-rectangle').first().waitFor();
  const labelLeft = () =>
    minimum(page, '.recharts-wrapper text', 'box.left - element.closest("svg").getBoundingClientRect().left');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => cutTexts(page, 'dl > div, dd'), { message: `at ${width}` }).toEqual([]);
    await expect.poll(labelLeft, { message: `at ${width}` }).toBeGreaterThanOrEqual(0);
  }
});

describe.each([360, 1280])('a job with long texts at %i pixels', (width) => {
  it('is cut to a few lines, and shown whole on request', async () => {
    const { page } = await dashboard.user(`/jobs/${longJobId}`, { width });
    const input = page.getByText('?signature=').first();
    const heightOf = async () => (await input.locator('xpath=..').boundingBox())?.height ?? 0;
    await input.waitFor();
    expect(await heightOf()).toBeLessThan(110);
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.height).toBeLessThan(120);
    const button = page.getByRole('button', { name: 'Show all of the input' });
    await button.click();
    expect(await heightOf()).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Show less of the input' }).waitFor();
    expect(await overflowPixels(page)).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('shows what it has cost by part, and its maximum', async () => {
    const { page } = await dashboard.user(`/jobs/${longJobId}`, { width });
    await page.getByText('Maximum cost').waitFor();
    await page.getByText('$0.50', { exact: true }).waitFor();
    await page.getByText('by part').click();
    const rows = page.getByRole('table', { name: 'Cost by part' }).getByRole('row');
    expect(await rows.first().textContent()).toMatch(/^Transcoding\$0\.00/);
    expect(await rows.count()).toBeGreaterThan(3);
    expect(await violationsOf(page)).toEqual([]);
  });
});

it('a link in a text is underlined, so that it does not depend on color', async () => {
  const { page } = await dashboard.user(`/jobs/${longJobId}`);
  await page.getByRole('table', { name: 'Files' }).getByRole('link').waitFor();
  expect(await page.evaluate('getComputedStyle(document.querySelector("td a")).textDecorationLine')).toBe('underline');
});
