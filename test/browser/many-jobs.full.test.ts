// @module-tag nightly
// @module-tag dashboard
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard } from '../builders/dashboard/dashboard.ts';
import { type FewAndManyJobs, fewAndManyJobs, manyJobsTimeoutMs } from '../builders/dashboard/few-and-many-jobs.ts';

let lists: FewAndManyJobs;

beforeAll(async () => {
  lists = await fewAndManyJobs();
}, manyJobsTimeoutMs);
afterAll(() => lists?.stop());
afterEach(() => expect([...lists.few.problems(), ...lists.many.problems()]).toEqual([]));

/** The distinct paths and queries that a reload requests from the API until an element is visible. */
async function requestsOf(
  dashboard: Dashboard,
  { path, shows }: { path: string; shows: string },
): Promise<{ requests: string[]; elements: number }> {
  const { page } = await dashboard.user(path);
  const requested = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The time of the load differs.
    searchParams.delete('after');
    if (pathname.startsWith('/api/')) requested.add(`${pathname}?${searchParams}`);
  });
  await page.reload();
  await page.locator(shows).first().waitFor();
  const requests = [...requested];
  const elements: number = await page.evaluate('document.querySelectorAll("*").length');
  return { requests, elements };
}

const list = { path: '/jobs', shows: '[data-job]' };

describe('a list of 100,000 jobs', () => {
  it('makes the same requests before its first row as a list of 10', async () => {
    const [many, few] = [await requestsOf(lists.many, list), await requestsOf(lists.few, list)];
    expect(many.requests).toEqual(few.requests);
    expect(many.requests.length).toBeLessThanOrEqual(2);
    // A row has some 30 elements: the page is as large as the window, not as the list.
    expect(many.elements).toBeLessThan(few.elements + 500);
  });

  it.each(['state=rejected', 'from=2000-01-01&to=2000-01-02', 'state=completed&from=2000-01-01'])(
    'is filtered by %s with one request',
    async (filter) => {
      const shows = '[data-job], h2:has-text("No matching jobs")';
      const { requests, elements } = await requestsOf(lists.many, { path: `/jobs?${filter}`, shows });
      expect(requests.filter((request) => request.includes('limit=40')).length).toBe(1);
      expect(elements).toBeLessThan(1_500);
    },
  );

  it('is counted to the last job on the usage page, with the requests of a short list', async () => {
    const usage = { path: '/usage', shows: '[aria-label="Usage by day"] td' };
    const [many, few] = [await requestsOf(lists.many, usage), await requestsOf(lists.few, usage)];
    expect(many.requests.toSorted()).toEqual(few.requests.toSorted());
    expect(many.elements).toBeLessThan(4_000);
    const { page } = await lists.many.user('/usage');
    const jobs = page.locator('dl > div', { hasText: 'Jobs' });
    await expect.poll(() => jobs.textContent()).toBe('Jobs100,000');
  });

  it('loads page by page while scrolling, and renders only visible rows', async () => {
    const { page } = await lists.many.user('/jobs');
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
  });

  it('is not refetched when the window becomes visible again', async () => {
    const { page } = await lists.many.user('/jobs');
    await page.clock.install();
    await page.reload();
    await page.locator('[data-job]').first().waitFor();
    const queries: string[] = [];
    page.on('request', (request) => queries.push(new URL(request.url()).search));
    const polled = page.waitForResponse(/\/api\/v1\/events\?/);
    await page.clock.fastForward('01:00');
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await polled;
    expect(queries.filter((query) => query.includes('limit=') && !query.includes('after='))).toEqual([]);
  });

  it('supports keyboard navigation', async () => {
    const { page } = await lists.many.user('/jobs');
    await page.locator('[data-job]').first().waitFor();
    const focused = () => page.evaluate('document.activeElement.closest("[data-job]")?.ariaRowIndex');
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    expect(await focused()).toBe('3');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  });
});
