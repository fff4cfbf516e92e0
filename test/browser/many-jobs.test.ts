import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDashboard, type Dashboard } from '../builders/dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stored-jobs.ts';

const loads = 11;
let few: Dashboard;
let many: Dashboard;

beforeAll(async () => {
  [few, many] = [await aDashboard(), await aDashboard()];
  const until = new Date();
  await storeJobs(few.running.stage, pastJobs(10, { until, everyMinutes: 4 }));
  await storeJobs(many.running.stage, pastJobs(10_000, { until, everyMinutes: 4 }));
});
afterAll(() => Promise.all([few?.stop(), many?.stop()]));

/** Milliseconds from the request for the list, as a reload makes it, until its first row is there. */
async function timeToFirstRow(page: Page): Promise<number> {
  await page.reload();
  await page.locator('[data-job]').first().waitFor();
  return page.evaluate('performance.now()');
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('a list of 10,000 jobs', () => {
  it('shows its first page about as soon as a list of 10', async () => {
    const [{ page: fewPage }, { page: manyPage }] = [await few.user('/jobs'), await many.user('/jobs')];
    const times: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let load = 0; load < loads; load += 1) {
      times.few.push(await timeToFirstRow(fewPage));
      times.many.push(await timeToFirstRow(manyPage));
    }
    // In turns, so that whatever else the machine does meanwhile slows both; medians, so that one bad load is nothing.
    expect(median(times.many) / median(times.few)).toBeLessThan(1.2);
  });

  it('is read page by page as it is scrolled, and only the rows in sight exist', async () => {
    const { page, problems } = await many.user('/jobs');
    const cursors: string[] = [];
    page.on('request', (request) => {
      const cursor = new URL(request.url()).searchParams.get('cursor');
      if (cursor !== null) cursors.push(cursor);
    });
    await page.locator('[data-job]').first().waitFor();
    await expect
      .poll(async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
        return cursors.length;
      })
      .toBeGreaterThan(8);
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(await page.locator('[data-job]').count()).toBeLessThan(50);
    const last = Number(await page.locator('[data-job]').last().getAttribute('aria-rowindex'));
    expect(last).toBeGreaterThan(300);
    expect(problems).toEqual([]);
  });

  it('is walked by the keyboard', async () => {
    const { page } = await many.user('/jobs');
    await page.locator('[data-job]').first().waitFor();
    const focused = () => page.evaluate('document.activeElement.closest("[data-job]")?.ariaRowIndex');
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    expect(await focused()).toBe('3');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  });
});
