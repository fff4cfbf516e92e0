// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FewAndManyJobs, fewAndManyJobs, manyJobsTimeoutMs } from '../builders/dashboard/few-and-many-jobs.ts';

const loadCount = 21;
let lists: FewAndManyJobs;

beforeAll(async () => {
  lists = await fewAndManyJobs();
}, manyJobsTimeoutMs);
afterAll(() => lists?.stop());

/** The time from a reload to the first row, in milliseconds. */
async function firstRowMs(page: Page): Promise<number> {
  await page.reload();
  await page.locator('[data-job]').first().waitFor();
  return page.evaluate('performance.now()');
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

it('a list of 100,000 jobs shows its first row about as soon as a list of 10', async () => {
  const { few, many } = lists;
  const [{ page: fewPage }, { page: manyPage }] = [await few.user('/jobs'), await many.user('/jobs')];
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let load = 0; load < loadCount; load += 1) {
    times.few.push(await firstRowMs(fewPage));
    times.many.push(await firstRowMs(manyPage));
  }
  // Loads alternate, so that other load on the machine slows both lists. Medians ignore single slow loads.
  expect(median(times.many) / median(times.few)).toBeLessThan(1.2);
});
