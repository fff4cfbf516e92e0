import { expect, it } from 'vitest';
import type { FrameGrid } from '../../../src/encoding/encoding.ts';
import { frameGridOf, gridTicks } from '../../../src/encoding/video/frame-times.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const gridOf = (fps: number, baseFps = fps) => {
  const video = aVideoStream({ framesPerSecond: fps, baseFramesPerSecond: baseFps, durationSeconds: 7200 });
  return frameGridOf(aProbe([video]), video, {});
};

const cinema: FrameGrid = { ticksPerSecond: 24_000, frameTicks: 1001, drift: 0 };
const movedMs = (grid: FrameGrid, ticks: number, firstTicks = 0) =>
  gridTicks(grid, { ticks, firstTicks, tickSeconds: 0.001 });

it('the frames of a constant rate are a whole number of ticks, of a ten thousandth of a second at most', () => {
  expect(gridOf(24_000 / 1001)).toEqual(cinema);
  expect(gridOf(25)).toEqual({ ticksPerSecond: 25_000, frameTicks: 1000, drift: 0 });
  expect(gridOf(0.5)).toEqual({ ticksPerSecond: 10_000, frameTicks: 20_000, drift: 0 });
});

it('a rate whose average is another has no grid', () => {
  expect(gridOf(23.4, 30)).toBeUndefined();
});

it('times that are rounded or truncated to milliseconds move to the grid for ten hours', () => {
  const frames = Array.from({ length: 8000 }, (_, index) => index * 107);
  for (const round of [Math.round, Math.floor]) {
    const moved = frames.map((frame) => movedMs(cinema, round((frame * 1001) / 24), 0));
    expect(moved).toEqual(frames.map((frame) => frame * 1001));
  }
});

it('times of a rate that is stated as 23.976 move to the grid of 24000/1001 for three hours', () => {
  const { drift = 0, ...grid } = gridOf(23.976) ?? cinema;
  expect(grid).toEqual({ ticksPerSecond: 24_000, frameTicks: 1001 });
  for (const frame of [1, 1000, 100_000, 258_000]) {
    expect(movedMs({ ...grid, drift }, Math.round(frame / 0.023976))).toBe(frame * 1001);
  }
});

it('the first frame keeps its time, and so does one that is off the grid by more than a millisecond', () => {
  expect(movedMs(cinema, 731, 731)).toBe(17_544);
  expect(movedMs(cinema, 731 + 42, 731)).toBe(17_544 + 1001);
  expect(movedMs(cinema, 731 + 45, 731)).toBe(17_544 + 1080);
});
