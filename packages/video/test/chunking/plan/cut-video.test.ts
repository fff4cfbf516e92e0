import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutVideo } from '../../../src/chunking/plan/cut-video.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';

const mp4 = 'mov,mp4,m4a,3gp,3g2,mj2';
const cutInto = (maxChunks: number, index = aFrameIndex(), container = mp4) =>
  cutVideo(index, { maxChunks, container });

it('a chunk reaches from half a frame gap before its keyframe to half a gap before the next', () => {
  const [, second] = cutInto(3);
  expect(second).toMatchObject({ startSeconds: 200, trimStartSeconds: 199.98, trimEndSeconds: 399.98 });
});

it('every frame is in exactly one chunk', () => {
  const chunks = cutInto(7);
  expect(chunks.reduce((sum, { frames }) => sum + frames, 0)).toBe(15_000);
  expect(chunks.at(-1)?.trimEndSeconds).toBeUndefined();
  expect(chunks[0]?.trimStartSeconds).toBeUndefined();
});

it('a chunk lasts until the next one starts, and the last one until the end of its last frame', () => {
  const chunks = cutInto(4);
  for (const [index, { startSeconds, durationSeconds }] of chunks.entries()) {
    expect(startSeconds + durationSeconds).toBeCloseTo(chunks[index + 1]?.startSeconds ?? 600, 9);
  }
});

it('the seek position is one keyframe before the cut if a seek finds the one before that', () => {
  expect(cutInto(2)[1]?.seekSeconds).toBe(297.98);
});

it('the seek position is earlier in a container whose seek may land after a keyframe', () => {
  expect(cutInto(2, aFrameIndex(), 'mpegts')[1]?.seekSeconds).toBe(295);
});

it('a chunk near the start has no seek position', () => {
  const index = aFrameIndex({ frames: 100, keyframeEvery: 25 });
  expect(cutInto(4, index, 'mpegts')[1]?.seekSeconds).toBeUndefined();
});

it('a chunk of complex frames has fewer of them', () => {
  const keyframes = aFrameIndex().keyframes.map(({ frame }) => ({
    frame,
    bytesBefore: frame < 7500 ? frame * 300 : 7500 * 300 + (frame - 7500) * 1700,
  }));
  const [calm, busy] = cutInto(2, aFrameIndex({ keyframes }));
  expect(calm?.frames).toBeGreaterThan(8500);
  expect(calm?.costShare).toBeCloseTo(busy?.costShare ?? 0, 1);
});

it('a cut in a gap of one tick, whose midpoint could round to either side, is at the time of its frame', () => {
  const pts = aFrameIndex().pts.slice();
  pts[7499] = (pts[7500] ?? 0) - 1;
  const [first, second] = cutInto(2, aFrameIndex({ pts }));
  expect([first?.trimEndSeconds, second?.trimStartSeconds]).toEqual([300, 300]);
});

it('no cut point is at a gap of less than ten microseconds', () => {
  const timeBase = { numerator: 1, denominator: 1_000_000 };
  const pts = aFrameIndex().pts.map((time) => 1000 * time);
  pts[7499] = (pts[7500] ?? 0) - 9;
  expect(cutInto(2, aFrameIndex({ pts, timeBase }))[1]?.startSeconds).not.toBe(300);
});

it('there are no more chunks than keyframes', () => {
  expect(cutInto(40, aFrameIndex({ keyframeEvery: 6000 }))).toHaveLength(3);
  expect(cutInto(40, aFrameIndex({ keyframeEvery: 20_000 }))).toHaveLength(1);
});

it('no chunk costs more than its share and one keyframe interval', () => {
  const intervalLists = fc.array(
    fc.record({ frames: fc.integer({ min: 13, max: 300 }), bytes: fc.integer({ min: 1, max: 90_000 }) }),
    { minLength: 2, maxLength: 200 },
  );
  fc.assert(
    fc.property(intervalLists, fc.integer({ min: 2, max: 40 }), (intervals, count) => {
      let [frame, bytesBefore] = [0, 0];
      const keyframes = intervals.map((interval) => {
        const entry = { frame, bytesBefore };
        frame += interval.frames;
        bytesBefore += interval.bytes;
        return entry;
      });
      const index = aFrameIndex({ frames: frame, keyframes, sizeBytes: bytesBefore });
      const costs = intervals.map((each) => (each.frames / frame + each.bytes / bytesBefore) / 2);
      const maxShare = 1 / count + Math.max(...costs) + 1e-9;
      for (const { costShare } of cutInto(count, index)) expect(costShare).toBeLessThanOrEqual(maxShare);
    }),
  );
});
