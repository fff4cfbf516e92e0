// @module-tag nightly
// @module-tag timing
import { anEncoder, encodeOne, frameTimes, lateTimeline, ssim } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const containers = ['mp4', 'mkv', 'webm', 'asf', 'flv'] as const;

it.each(containers)('a recording that does not count from 0 lasts as long as its frames: %s', async (container) => {
  const { durationSeconds, streams } = await anEncoder().probe(await lateTimeline(container));
  expect(durationSeconds).toBeCloseTo(12, 1);
  expect(streams.map((stream) => stream.durationSeconds?.toFixed(1))).toEqual(['12.0', '12.0']);
});

it('so does one that starts shortly after 0', async () => {
  const { durationSeconds } = await anEncoder().probe(await lateTimeline('mp4', 3));
  expect(durationSeconds).toBeCloseTo(12, 1);
});

it.each(containers)('its times count from its first frame: %s', async (container) => {
  const source = await lateTimeline(container);
  expect(await frameTimes((await encodeOne(source, 'mp4', { name: 'compress' })).path)).toHaveLength(300);
  const thumbnail = { name: 'thumbnail', at: 7 } as const;
  const image = await encodeOne(source, 'png', thumbnail);
  const plain = await lateTimeline(container, 0);
  const expected = await encodeOne(plain, 'png', thumbnail);
  expect(await ssim({ path: image.path }, { path: expected.path })).toBeGreaterThan(0.99);
  const clip = { name: 'clip', start: 7, end: 11 } as const;
  const [cut, expectedCut] = [await encodeOne(source, 'mp4', clip), await encodeOne(plain, 'mp4', clip)];
  expect(await frameTimes(cut.path)).toEqual(await frameTimes(expectedCut.path));
});

it.each([{ name: 'compress' }, { name: 'clip', start: 2, end: 11 }] as const)('so do chunks: %o', async (recipe) => {
  await expectSinglePassFile(await encodeBothWays(await lateTimeline('mp4'), 'mp4', recipe));
});
