import { expect, it } from 'vitest';
import { joinFragmentTables } from '../../../src/chunking/assembly/assemble-movie.ts';
import type { FragmentTable } from '../../../src/chunking/plan/chunk-result.ts';

const timeBase = { numerator: 1, denominator: 1000 };

const first: FragmentTable = {
  initBytes: 700,
  mediaOffset: 800,
  codec: 'avc1.64000d',
  descriptionHash: 'same',
  ticksPerSecond: 1000,
  mediaTime: 80,
  fragments: [
    { sizeBytes: 5000, ticks: 2000, frames: 50, keyframeBytes: 900 },
    { sizeBytes: 4000, ticks: 1000, frames: 25, keyframeBytes: 800 },
  ],
  frameTimes: { timeBase, firstPts: 0, deltas: [[40, 74]] },
};

const second: FragmentTable = {
  ...first,
  fragments: [{ sizeBytes: 3000, ticks: 40, frames: 1, keyframeBytes: 2900 }],
  frameTimes: { timeBase, firstPts: 3000, deltas: [] },
  hasCaptions: true,
};

it('the fragments of all chunks follow one index', () => {
  const joined = joinFragmentTables([first, second]);
  if ('defect' in joined) throw new Error(joined.defect);
  const { file, index, keyframes, frames, hasCaptions } = joined;
  const media = 700 + index.length;
  expect(file).toMatchObject({ initBytes: 700, index: { offset: 700, sizeBytes: index.length } });
  expect(file.fragments).toEqual([
    { offset: media, sizeBytes: 5000, seconds: 2 },
    { offset: media + 5000, sizeBytes: 4000, seconds: 1 },
    { offset: media + 9000, sizeBytes: 3000, seconds: 0.04 },
  ]);
  expect(keyframes[1]).toEqual({ offset: media + 5000, sizeBytes: 800, seconds: 1 });
  expect(frames.keyframes.map(({ frame }) => frame)).toEqual([0, 50, 75]);
  expect(frames.pts).toHaveLength(76);
  expect(frames.pts.at(-1)).toBe(3000);
  expect(hasCaptions).toBe(true);
});

it.each([
  [{ descriptionHash: 'other' }, /Chunk 2 has another decoder configuration/],
  [{ codec: 'avc1.640028' }, /Chunk 2 has another decoder configuration/],
  [{ ticksPerSecond: 2000 }, /Chunk 2 has another time scale/],
  [{ mediaTime: 40 }, /Chunk 2 delays its frames otherwise/],
])('a chunk with %o cannot be read by the header of the first', (differences, defect) => {
  expect(joinFragmentTables([first, { ...second, ...differences }])).toEqual({
    defect: expect.stringMatching(defect),
  });
});
