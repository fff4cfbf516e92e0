import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard } from '../builders/dashboard/dashboard.ts';
import { type FewAndManyJobs, fewAndManyJobs } from '../builders/dashboard/few-and-many-jobs.ts';

let lists: FewAndManyJobs;

beforeAll(async () => {
  lists = await fewAndManyJobs();
});
afterAll(() => lists?.stop());
afterEach(() => expect([...lists.few.problems(), ...lists.many.problems()]).toEqual([]));

/** The distinct paths and queries that a reload requests from the API until the first row is visible. */
async function requestsBeforeFirstRow(dashboard: Dashboard): Promise<string[]> {
  const { page } = await dashboard.user('/jobs');
  const requested = new Set<string>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) requested.add(pathname + search);
  });
  await page.reload();
  await page.locator('[data-job]').first().waitFor();
  return [...requested];
}

describe('a list of 10,000 jobs', () => {
  it('makes the same requests before its first row as a list of 10', async () => {
    expect(await requestsBeforeFirstRow(lists.many)).toEqual(await requestsBeforeFirstRow(lists.few));
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
    const polled = page.waitForResponse(/createdAfter=/);
    await page.clock.fastForward('01:00');
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await polled;
    expect(queries.filter((query) => query.includes('limit=') && !query.includes('createdAfter='))).toEqual(
      [],
    );
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
