import { expect, it } from 'vitest';
import { chunkableKeyframes, cutVideo, forcedKeyframes } from '../../../src/chunking/plan/cut-video.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';

/** A source with frames at these seconds. */
function withFramesAt(seconds: readonly number[]) {
  return aFrameIndex({ pts: Float64Array.from(seconds, (each) => Math.round(each * 1000)) });
}

const everySecond = Array.from({ length: 20 }, (_, second) => second);

it('a keyframe is forced at the first frame that is an interval after the previous one', () => {
  expect(forcedKeyframes(aFrameIndex({ frames: 250 }), 2)).toEqual([0, 50, 100, 150, 200]);
  expect(forcedKeyframes(aFrameIndex({ frames: 130, every: 48 }), 2)).toEqual([0, 42, 84, 126]);
});

it('an interval that is rounded to milliseconds counts as whole', () => {
  expect(forcedKeyframes(withFramesAt([0, 1.999, 2.999, 3.997]), 2)).toEqual([0, 1, 3]);
});

it('forced keyframes count from the first frame, however late it is', () => {
  expect(forcedKeyframes(withFramesAt(everySecond.map((second) => second + 0.04)), 4)).toEqual([0, 4, 8, 12, 16]);
});

it('a keyframe is forced after a gap, and the next an interval later', () => {
  expect(forcedKeyframes(withFramesAt([0, 1, 2, 3, 9, 10, 11, 12]), 2)).toEqual([0, 2, 4, 6]);
});

it('a chunk may start only between full intervals', () => {
  const source = withFramesAt([0, 1, 2, 3, 9, 10, 11, 12, 13, 14, 15]);
  const starts = forcedKeyframes(source, 2);
  expect(starts).toEqual([0, 2, 4, 6, 8, 10]);
  // The last interval is not full.
  expect(chunkableKeyframes(source, { starts, keyframeIntervalSeconds: 2 })).toEqual([2, 4, 6, 8]);
});

it('a forced keyframe between keyframes may be a cut point, with a preroll of two keyframes', () => {
  const index = aFrameIndex({ frames: 500, keyframeEvery: 60 });
  const chunks = cutVideo(index, { maxChunks: 2, container: 'matroska', keyframeIntervalSeconds: 5 });
  expect(chunks).toMatchObject([
    { frames: 250, trimEndSeconds: 9.98, keyframeSeconds: [4.98] },
    // The keyframes before 10 s lie at 9.6 s and 7.2 s.
    { frames: 250, startSeconds: 10, trimStartSeconds: 9.98, seekSeconds: 7.18, keyframeSeconds: [14.98] },
  ]);
  expect(chunks.map(({ costShare }) => costShare)).toEqual([0.5, 0.5]);
});
