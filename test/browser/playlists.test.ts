import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';

const segmentSeconds = 2;

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());

it('a stream is played over the seams of its segments, and on from wherever one goes', async () => {
  const recipe = { name: 'hls', segmentSeconds, maxHeight: 360, preset: 'ultrafast' };
  const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe, format: 'm3u8' });
  expect(await dashboard.ended(jobId)).toMatchObject({ state: 'completed' });
  const { page } = await dashboard.user(`/jobs/${jobId}`);
  await waitForVideoFrame(page);
  // Where one of the two came late there would be nothing to show.
  expect(await evaluate(page, 'film.buffered.start(0)')).toBe(0);
  expect(await evaluate(page, 'film.duration')).toBeCloseTo(6, 1);

  await evaluate(page, '(film.muted = true, film.playbackRate = 2, film.play(), 0)');
  await expect.poll(() => evaluate(page, 'film.currentTime')).toBeGreaterThan(2 * segmentSeconds + 0.5);

  await evaluate(page, 'film.currentTime = 1');
  await expect.poll(() => evaluate(page, 'film.seeking ? 9 : film.currentTime')).toBeLessThan(2);
  await expect.poll(() => evaluate(page, 'film.currentTime')).toBeGreaterThan(segmentSeconds + 0.5);

  await evaluate(page, 'film.currentTime = 5');
  await expect.poll(() => evaluate(page, 'film.ended ? 6 : film.currentTime')).toBeGreaterThan(5.5);
  expect(await evaluate(page, 'film.getVideoPlaybackQuality().totalVideoFrames')).toBeGreaterThan(50);
  expect(dashboard.problems()).toEqual([]);
});

/** Something of the video on a page, which is called `film`. */
function evaluate(page: Page, expression: string): Promise<number> {
  return page.evaluate(`((film) => ${expression})(document.querySelector('video'))`);
}
