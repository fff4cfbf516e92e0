import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDashboard, type Dashboard } from '../builders/dashboard.ts';
import { pastJobs, storeJobs } from '../builders/stored-jobs.ts';

const loads = 21;
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

it('a list of 10,000 jobs shows its first page about as soon as one of 10', async () => {
  const [{ page: fewPage }, { page: manyPage }] = [await few.user('/jobs'), await many.user('/jobs')];
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let load = 0; load < loads; load += 1) {
    times.few.push(await timeToFirstRow(fewPage));
    times.many.push(await timeToFirstRow(manyPage));
  }
  // In turns, so that whatever else the machine does meanwhile slows both; medians, so that one bad load is nothing.
  expect(median(times.many) / median(times.few)).toBeLessThan(1.2);
});
