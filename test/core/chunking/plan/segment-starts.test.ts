import { expect, it } from 'vitest';
import { cutVideo } from '../../../../core/chunking/plan/cut-video.ts';
import {
  chunkableSegmentStarts,
  findIrregularSegmentStart,
  segmentStarts,
} from '../../../../core/chunking/plan/segment-starts.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';

/** A source with frames at these seconds. */
function withFramesAt(seconds: readonly number[]) {
  return aFrameIndex({ pts: Float64Array.from(seconds, (each) => Math.round(each * 1000)) });
}

const everySecond = Array.from({ length: 20 }, (_, second) => second);

it('a segment starts at the first frame that is a segment length after the previous start', () => {
  expect(segmentStarts(aFrameIndex({ frames: 250 }), 2)).toEqual([0, 50, 100, 150, 200]);
  expect(segmentStarts(aFrameIndex({ frames: 130, every: 48 }), 2)).toEqual([0, 42, 84, 126]);
});

it('a segment length that is rounded to milliseconds counts as whole', () => {
  expect(segmentStarts(withFramesAt([0, 1.999, 2.999, 3.997]), 2)).toEqual([0, 1, 3]);
});

it('segment starts count from the first frame, however late it is', () => {
  expect(segmentStarts(withFramesAt(everySecond.map((second) => second + 0.04)), 4)).toEqual([
    0, 4, 8, 12, 16,
  ]);
});

it('a segment starts after a gap, and the next a segment length later', () => {
  expect(segmentStarts(withFramesAt([0, 1, 2, 3, 9, 10, 11, 12]), 2)).toEqual([0, 2, 4, 6]);
});

it('a chunk may start only between full segments', () => {
  const source = withFramesAt([0, 1, 2, 3, 9, 10, 11, 12, 13, 14, 15]);
  const starts = segmentStarts(source, 2);
  expect(starts).toEqual([0, 2, 4, 6, 8, 10]);
  // The last segment is not full.
  expect(chunkableSegmentStarts(source, { starts, segmentSeconds: 2 })).toEqual([2, 4, 6, 8]);
});

it('a segment start after frames of unequal duration is found', () => {
  expect(findIrregularSegmentStart(aFrameIndex({ frames: 500 }), 2)).toBeUndefined();
  expect(findIrregularSegmentStart(withFramesAt([0, 0.04, 0.0815, 0.12, 2, 2.04]), 2)).toBe(2);
  // A millisecond of rounding is below the tolerance.
  expect(findIrregularSegmentStart(withFramesAt([0, 0.667, 1.333, 2, 2.667]), 2)).toBeUndefined();
});

it('a segment start between keyframes may be a cut point, with a preroll of two keyframes', () => {
  const index = aFrameIndex({ frames: 500, keyframeEvery: 60 });
  const chunks = cutVideo(index, { maxChunks: 2, container: 'matroska', segmentSeconds: 5 });
  expect(chunks).toMatchObject([
    { frames: 250, trimEndSeconds: 9.98, keyframeSeconds: [4.98] },
    // The keyframes before 10 s lie at 9.6 s and 7.2 s.
    { frames: 250, startSeconds: 10, trimStartSeconds: 9.98, seekSeconds: 7.18, keyframeSeconds: [14.98] },
  ]);
  expect(chunks.map(({ costShare }) => costShare)).toEqual([0.5, 0.5]);
});
