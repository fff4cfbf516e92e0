import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard } from '../builders/dashboard/dashboard.ts';
import { type FewAndManyJobs, fewAndManyJobs } from '../builders/dashboard/few-and-many-jobs.ts';

let lists: FewAndManyJobs;

beforeAll(async () => {
  lists = await fewAndManyJobs();
});
afterAll(() => lists?.stop());
afterEach(() => expect([...lists.few.problems(), ...lists.many.problems()]).toEqual([]));

/** What a reload asks the API for until the first row is there: each path and query once. */
async function askedUntilFirstRow(dashboard: Dashboard): Promise<string[]> {
  const { page } = await dashboard.user('/jobs');
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.add(pathname + search);
  });
  await page.reload();
  await page.locator('[data-job]').first().waitFor();
  return [...asked];
}

describe('a list of 10,000 jobs', () => {
  it('asks for as much before its first page as a list of 10', async () => {
    expect(await askedUntilFirstRow(lists.many)).toEqual(await askedUntilFirstRow(lists.few));
  });

  it('is read page by page as it is scrolled, and only the rows in sight exist', async () => {
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

  it('is not read again when the window is looked at again', async () => {
    const { page } = await lists.many.user('/jobs');
    await page.clock.install();
    await page.reload();
    await page.locator('[data-job]').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    const looked = page.waitForResponse(/createdAfter=/);
    await page.clock.fastForward('01:00');
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await looked;
    expect(asked.filter((query) => query.includes('limit=') && !query.includes('createdAfter='))).toEqual([]);
  });

  it('is walked by the keyboard', async () => {
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
