import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutVideo } from '../../../../core/chunking/plan/cut-video.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';

const mp4 = 'mov,mp4,m4a,3gp,3g2,mj2';
const cutInto = (maxChunks: number, index = aFrameIndex(), container = mp4) =>
  cutVideo(index, { maxChunks, container });

it('cuts half a gap before a keyframe, and keeps up to half a gap before the next', () => {
  const [, second] = cutInto(3);
  expect(second).toMatchObject({ startSeconds: 200, trimStartSeconds: 199.98, trimEndSeconds: 399.98 });
});

it('has every picture in exactly one chunk', () => {
  const chunks = cutInto(7);
  expect(chunks.reduce((sum, { frames }) => sum + frames, 0)).toBe(15_000);
  expect(chunks.at(-1)?.trimEndSeconds).toBeUndefined();
  expect(chunks[0]?.trimStartSeconds).toBeUndefined();
});

it('lets each chunk last until the next one begins, and the last one as long as its last picture', () => {
  const chunks = cutInto(4);
  for (const [index, { startSeconds, durationSeconds }] of chunks.entries()) {
    expect(startSeconds + durationSeconds).toBeCloseTo(chunks[index + 1]?.startSeconds ?? 600, 9);
  }
});

it('reads from two keyframes before, the second of which a seek finds by itself', () => {
  expect(cutInto(2)[1]?.seekSeconds).toBe(297.98);
});

it('reads from more than two keyframes before where a seek could land behind one', () => {
  expect(cutInto(2, aFrameIndex(), 'mpegts')[1]?.seekSeconds).toBe(295);
});

it('reads from the beginning where there is nothing before', () => {
  const index = aFrameIndex({ pictures: 100, keyframeEvery: 25 });
  expect(cutInto(4, index, 'mpegts')[1]?.seekSeconds).toBeUndefined();
});

it('gives the part with more in it fewer pictures', () => {
  const keyframes = aFrameIndex().keyframes.map(({ frame }) => ({
    frame,
    bytesBefore: frame < 7500 ? frame * 300 : 7500 * 300 + (frame - 7500) * 1700,
  }));
  const [calm, busy] = cutInto(2, aFrameIndex({ keyframes }));
  expect(calm?.frames).toBeGreaterThan(8500);
  expect(calm?.costShare).toBeCloseTo(busy?.costShare ?? 0, 1);
});

it('does not cut where a picture follows at once, since half of that could be rounded to either side', () => {
  const pts = aFrameIndex().pts.slice();
  pts[7499] = (pts[7500] ?? 0) - 1;
  expect(cutInto(2, aFrameIndex({ pts }))[1]?.startSeconds).not.toBe(300);
});

it('cuts into no more than there are keyframes', () => {
  expect(cutInto(40, aFrameIndex({ keyframeEvery: 6000 }))).toHaveLength(3);
  expect(cutInto(40, aFrameIndex({ keyframeEvery: 20_000 }))).toHaveLength(1);
});

it('never has a chunk that costs more than its share and one stretch between keyframes', () => {
  const gaps = fc.array(
    fc.record({ pictures: fc.integer({ min: 13, max: 300 }), bytes: fc.integer({ min: 1, max: 90_000 }) }),
    {
      minLength: 2,
      maxLength: 200,
    },
  );
  fc.assert(
    fc.property(gaps, fc.integer({ min: 2, max: 40 }), (stretches, count) => {
      let [picture, bytesBefore] = [0, 0];
      const keyframes = stretches.map((stretch) => {
        const entry = { frame: picture, bytesBefore };
        picture += stretch.pictures;
        bytesBefore += stretch.bytes;
        return entry;
      });
      const index = aFrameIndex({ pictures: picture, keyframes, sizeBytes: bytesBefore });
      const costs = stretches.map((each) => (each.pictures / picture + each.bytes / bytesBefore) / 2);
      const most = 1 / count + Math.max(...costs) + 1e-9;
      for (const { costShare } of cutInto(count, index)) expect(costShare).toBeLessThanOrEqual(most);
    }),
  );
});
