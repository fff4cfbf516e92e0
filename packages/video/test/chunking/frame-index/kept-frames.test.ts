import { describe, expect, it } from 'vitest';
import type { FrameIndex } from '../../../src/chunking/frame-index/frame-index.ts';
import { cutIndex, keptFrames, outputFrameIndex } from '../../../src/chunking/frame-index/output-frame-index.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

/** Of 4 s at 25 frames per second, in ticks of 1 ms, unless another index is given. */
function kept(
  range: { start: number; end: number } | undefined,
  {
    source = aFrameIndex({ frames: 100 }),
    container = 'matroska',
    video = aVideoStream(),
  }: { source?: FrameIndex; container?: string; video?: ReturnType<typeof aVideoStream> } = {},
) {
  const encoding = aVideoEncoding(range && { range });
  const output = outputFrameIndex(source, video, encoding);
  const frames = keptFrames({ source, output }, { probe: aProbe([video], { container }), encoding });
  return { ...frames, pts: [...cutIndex(output, frames).pts] };
}

it('an encoding without a range keeps all frames and their times', () => {
  expect(kept(undefined)).toMatchObject({ first: 0, end: 100, zeroTicks: 0 });
});

it('a range keeps the frames from its start to before its end, which count from its start', () => {
  expect(kept({ start: 1, end: 1.12 })).toMatchObject({ first: 25, end: 28, pts: [0, 40, 80] });
});

it('a range between two frames starts with the later one, and lasts no longer', () => {
  expect(kept({ start: 0.99, end: 1.11 }).pts).toEqual([10, 50, 90]);
});

it('a range that reaches beyond the last frame ends with it', () => {
  expect(kept({ start: 3.9, end: 9 })).toMatchObject({ first: 98, end: 100 });
});

it('a range behind the last frame keeps none', () => {
  expect(kept({ start: 5, end: 9 })).toMatchObject({ first: 100, end: 100, pts: [] });
});

it('the seek drops whole interlaced frames, also if their second field lies in the range', () => {
  const video = aVideoStream({ isInterlaced: true });
  const source = aFrameIndex({ frames: 100 });
  // The field at 1.02 s belongs to the frame at 1 s.
  expect(kept({ start: 1.01, end: 1.1 }, { source, video }).pts).toEqual([60, 100, 140]);
  // A broadcast is read from its start and cut behind the deinterlacer.
  expect(kept({ start: 1.01, end: 1.1 }, { source, video, container: 'mpegts' }).pts).toEqual([20, 60, 100, 140]);
});

describe('a range of a variable rate', () => {
  const video = aVideoStream({ framesPerSecond: 14, baseFramesPerSecond: 25, durationSeconds: 4 });
  // One frame is on screen from 0.96 s to 3 s.
  const pts = Float64Array.from({ length: 50 }, (_, frame) => 40 * (frame < 25 ? frame : frame + 50));
  const source = aFrameIndex({ pts });
  const keptOf = (range: { start: number; end: number }) => kept(range, { source, video });

  it('starts with the frame on screen', () => {
    expect(keptOf({ start: 2, end: 3.1 })).toMatchObject({ first: 24, end: 28, pts: [0, 1000, 1040, 1080] });
    expect(keptOf({ start: 1, end: 2 })).toMatchObject({ first: 24, end: 25, pts: [0], endTicks: 2000 });
  });

  it('starts with its first frame if that is at its start', () => {
    expect(keptOf({ start: 3, end: 3.1 })).toMatchObject({ first: 25, end: 28, pts: [0, 40, 80] });
  });

  it('ends with the video, if not before', () => {
    expect(keptOf({ start: 3.9, end: 9 })).toMatchObject({ first: 47, end: 50, endTicks: 4000 });
  });
});

it('a seek is rounded together with the start time of the file', () => {
  const timelineOrigin = { containerSeconds: 0.5, fileSeconds: 0 };
  const timeBase = { numerator: 1, denominator: 25 };
  const pts = Float64Array.from({ length: 100 }, (_, frame) => frame);
  const source = aFrameIndex({ timeBase, pts, timelineOrigin });
  // The file starts at tick 12.5, rounded to 13; 1.02 s later is tick 38.
  expect(kept({ start: 1.02, end: 2 }, { source }).zeroTicks).toBe(25);
  expect(
    kept({ start: 1.02, end: 2 }, { source: { ...source, timelineOrigin: { ...timelineOrigin, containerSeconds: 0 } } })
      .zeroTicks,
  ).toBe(26);
});
