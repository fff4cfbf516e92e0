// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { waitForVideoFrame } from '../builders/dashboard/browser.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const segmentSeconds = 2;

const dashboard = aSharedDashboard();

it('a stream plays across segment boundaries, and after seeking', async () => {
  const recipe = { name: 'hls', segmentSeconds, maxHeight: 360, preset: 'ultrafast' };
  const { jobId } = await dashboard.submit({ name: 'film.mp4', recipe, format: 'm3u8' });
  expect(await dashboard.ended(jobId)).toMatchObject({ state: 'completed' });
  const { page } = await dashboard.user(`/jobs/${jobId}`);
  await waitForVideoFrame(page);
  // If audio or video started late, the buffer would not start at 0.
  expect(await evaluate(page, 'video.buffered.start(0)')).toBe(0);
  expect(await evaluate(page, 'video.duration')).toBeCloseTo(6, 1);

  await evaluate(page, '(video.muted = true, video.playbackRate = 2, video.play(), 0)');
  await expect.poll(() => evaluate(page, 'video.currentTime')).toBeGreaterThan(2 * segmentSeconds + 0.5);

  await evaluate(page, 'video.currentTime = 1');
  await expect.poll(() => evaluate(page, 'video.seeking ? 9 : video.currentTime')).toBeLessThan(2);
  await expect.poll(() => evaluate(page, 'video.currentTime')).toBeGreaterThan(segmentSeconds + 0.5);

  await evaluate(page, 'video.currentTime = 5');
  await expect.poll(() => evaluate(page, 'video.ended ? 6 : video.currentTime')).toBeGreaterThan(5.5);
  expect(await evaluate(page, 'video.getVideoPlaybackQuality().totalVideoFrames')).toBeGreaterThan(50);
});

/** Evaluates an expression in which `video` is the video element of the page. */
function evaluate(page: Page, expression: string): Promise<number> {
  return page.evaluate(`((video) => ${expression})(document.querySelector('video'))`);
}
