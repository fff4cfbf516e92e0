import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FewAndManyJobs, fewAndManyJobs } from '../builders/dashboard/few-and-many-jobs.ts';

const loads = 21;
let lists: FewAndManyJobs;

beforeAll(async () => {
  lists = await fewAndManyJobs();
});
afterAll(() => lists?.stop());

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
  const { few, many } = lists;
  const [{ page: fewPage }, { page: manyPage }] = [await few.user('/jobs'), await many.user('/jobs')];
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let load = 0; load < loads; load += 1) {
    times.few.push(await timeToFirstRow(fewPage));
    times.many.push(await timeToFirstRow(manyPage));
  }
  // In turns, so that whatever else the machine does meanwhile slows both; medians, so that one bad load is nothing.
  expect(median(times.many) / median(times.few)).toBeLessThan(1.2);
});
