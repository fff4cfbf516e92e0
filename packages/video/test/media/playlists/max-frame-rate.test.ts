import { expect, it } from 'vitest';
import { maxFrameRate } from '../../../src/media/playlists/adaptive-set.ts';

/** Frame times of stretches of `[frames, frames per second]`, rounded to milliseconds. */
function times(...stretches: [count: number, fps: number][]): number[] {
  const seconds = [0];
  for (const [count, fps] of stretches) {
    const start = seconds.at(-1) ?? 0;
    for (let frame = 1; frame <= count; frame += 1) seconds.push(start + frame / fps);
  }
  return seconds.map((each) => Math.round(1000 * each) / 1000);
}

const ntsc = 30_000 / 1001;

it.each([
  ['a constant rate is its average', [[300, ntsc]], ntsc, ntsc],
  [
    'of a variable rate the fastest stretch counts',
    [
      [60, 30],
      [60, 60],
      [60, 24],
    ],
    33,
    60,
  ],
  [
    'one frame in between makes a quarter of a second faster',
    [
      [60, 30],
      [1, 500],
      [60, 30],
    ],
    30.2,
    33.582,
  ],
  ['a video of a few frames has its average', [[3, 25]], 25, 25],
] as [string, [number, number][], number, number][])('%s', (_, stretches, average, expected) => {
  expect(maxFrameRate(times(...stretches), average)).toBe(expected);
});

it('a video whose average is unknown has no rate', () => {
  expect(maxFrameRate(times([60, 30]), undefined)).toBeUndefined();
});
