import { describe, expect, it } from 'vitest';
import { frameSeconds } from '../../../src/chunking/frame-index/frame-index.ts';
import { outputFrameIndex } from '../../../src/chunking/frame-index/output-frame-index.ts';
import { cutVideo } from '../../../src/chunking/plan/cut-video.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const { transform } = aVideoEncoding();
const at = (change: Partial<typeof transform>, index = aFrameIndex({ frames: 100 }), video = aVideoStream()) =>
  outputFrameIndex(index, video, aVideoEncoding({ transform: { ...transform, ...change } }));

/** Seconds of each frame, and the frame of each keyframe. */
const shown = (index: ReturnType<typeof at>) => ({
  seconds: [...index.pts.keys()].map((frame) => frameSeconds(index, frame)),
  keyframes: index.keyframes.map(({ frame }) => frame),
});

it('an encoding that keeps its frames has the index of the source', () => {
  const index = aFrameIndex();
  expect(at({}, index)).toBe(index);
});

it('a constant rate has a frame in every slot until the end of the last frame', () => {
  const { seconds, keyframes } = shown(at({ framesPerSecond: '24000/1001' }));
  // 4 s at 25 frames per second.
  expect(seconds).toHaveLength(96);
  expect(seconds.at(-1)).toBeCloseTo((95 * 1001) / 24_000, 12);
  expect(keyframes).toEqual([0, 48]);
});

it('a slow rate shows several keyframes by one frame, and a cut is before the first of them', () => {
  const index = aFrameIndex({ frames: 200, keyframeEvery: 20 });
  const output = at({ framesPerSecond: 1 }, index);
  expect(shown(output).keyframes).toEqual([0, 1, 2, 2, 3, 4, 5, 6, 6, 7]);
  const chunks = cutVideo(output, { source: index, maxChunks: 8, container: 'matroska' });
  expect(chunks.map(({ frames }) => frames)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  // The second keyframe of the slot at 2 s is at 2.4 s; the chunk reads from before the first one, at 1.6 s.
  expect(chunks[2]).toMatchObject({ startSeconds: 2, trimStartSeconds: 2, seekSeconds: 0.78 });
});

it('at another speed a chunk has the times of the output, and seeks by those of the source', () => {
  const index = aFrameIndex({ frames: 1000 });
  const output = at({ tempo: 2, framesPerSecond: 25 }, index);
  expect(shown(output).seconds).toHaveLength(500);
  const [, second] = cutVideo(output, { source: index, maxChunks: 2, container: 'matroska' });
  expect(second).toMatchObject({ startSeconds: 10, trimStartSeconds: 10, seekSeconds: 17.98 });
});

it('a ladder with a constant rate shows its first frame from the start', () => {
  const index = aFrameIndex({ frames: 50, pts: Float64Array.from({ length: 50 }, (_, n) => 1000 + n * 40) });
  const segmenting = { keyframeIntervalSeconds: 2, maxRatesKbps: [1000], constantFps: 25 };
  const { seconds, keyframes } = shown(outputFrameIndex(index, aVideoStream(), aLadderEncoding({ segmenting })));
  expect([seconds[0], seconds.length]).toEqual([0, 75]);
  expect(keyframes).toEqual([25]);
});

describe('a ladder for streaming, of a source with a stretch of 120 frames per second', () => {
  // In ticks of a millisecond: 25 frames per second, but 120 from 1 s to 2 s.
  const fast = Array.from({ length: 120 }, (_, frame) => 1000 + Math.round((frame * 1000) / 120));
  const slow = (from: number) => Array.from({ length: 25 }, (_, frame) => from + frame * 40);
  const pts = Float64Array.from([...slow(0), ...fast, ...slow(2000)]);
  const index = aFrameIndex({ frames: pts.length, pts, keyframeEvery: 30 });
  const segmenting = { keyframeIntervalSeconds: 2, maxRatesKbps: [1000] };
  const output = outputFrameIndex(index, aVideoStream(), aLadderEncoding({ segmenting }));

  it('has 60 of them, and all others at their times', () => {
    const times = [...output.pts];
    expect(times.filter((time) => time >= 1000 && time < 2000)).toHaveLength(60);
    expect(times.filter((time) => time < 1000 || time >= 2000)).toEqual([...slow(0), ...slow(2000)]);
  });

  it('has each keyframe at the first frame that is not before it', () => {
    const shownAt = output.keyframes.map(({ frame }) => output.pts[frame] ?? 0);
    const keyframes = index.keyframes.map(({ frame }) => index.pts[frame] ?? 0);
    expect(shownAt.map((time, keyframe) => time - (keyframes[keyframe] ?? 0))).toEqual([0, 8, 8, 8, 8, 0]);
  });

  it('is cut between a frame and the dropped one before it', () => {
    const dropped = [...index.pts].filter((time) => !output.pts.includes(time));
    const chunks = cutVideo(output, { source: index, maxChunks: 4, container: 'matroska' });
    expect(chunks).toHaveLength(4);
    for (const { startSeconds, trimStartSeconds } of chunks.slice(1)) {
      const before = dropped.findLast((time) => time < 1000 * startSeconds) ?? 0;
      expect(1000 * (trimStartSeconds ?? 0)).toBeGreaterThan(before);
      expect(trimStartSeconds).toBeLessThanOrEqual(startSeconds);
    }
  });
});
