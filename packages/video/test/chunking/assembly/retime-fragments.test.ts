import { expect, it } from 'vitest';
import { type FrameTicks, retimeFragments } from '../../../src/chunking/assembly/retime-fragments.ts';
import type { Sample } from '../../../src/media/fragments/write-fragment.ts';

// The second chunk has the last four frames.
const times = [0, 100, 500, 700, 1000, 1100, 1200];
const frames: FrameTicks = { count: times.length, at: (frame) => times[frame] ?? Number.NaN };

/** As an encoder with one B-frame writes it: each frame is decoded when the one before it is shown. */
const encoded = [
  { dts: 0, pts: 300 },
  { dts: 300, pts: 700 },
  { dts: 600, pts: 600 },
  { dts: 700, pts: 800 },
].map(({ dts, pts }): Sample => ({ dts, pts, offset: 0, sizeBytes: 10, ticks: 100 }));

it('frames of a chunk are decoded at the times of a single pass', () => {
  const longer: FrameTicks = { count: 8, at: (frame) => [...times, 1300][frame] ?? Number.NaN };
  const chunk = { firstFrame: 3, frames: longer };
  const { mediaTime, fragments } = retimeFragments([{ ticks: 550, samples: encoded }], chunk);
  expect(mediaTime).toBe(100);
  const [{ samples = [], ...fragment } = {}] = fragments;
  // When the last frame of the chunk before is shown. Its encoder assumed a gap of 300 before its first frame.
  expect(fragment).toEqual({ sequence: 4, decodeTicks: 600, ticks: 600 });
  const decodeTimes = [600];
  for (const { ticks } of samples) decodeTimes.push((decodeTimes.at(-1) ?? 0) + ticks);
  expect(decodeTimes).toEqual([600, 800, 1100, 1200, 1300]);
  const shownAt = samples.map(({ compositionOffset }, at) => (decodeTimes[at] ?? 0) + compositionOffset);
  expect(shownAt).toEqual([800, 1200, 1100, 1300]);
});

it('the last frame lasts as its packet states, or until the end of the video', () => {
  const chunk = [{ ticks: 650, samples: encoded }];
  const last = { firstFrame: 3, frames };
  expect(retimeFragments(chunk, last).fragments[0]).toMatchObject({ ticks: 650 });
  const cut = { ...last, frames: { ...frames, endTicks: 1210 } };
  expect(retimeFragments(chunk, cut).fragments[0]).toMatchObject({ ticks: 510 });
  const held = { ...last, frames: { ...frames, endTicks: 1900 } };
  const [fragment] = retimeFragments(chunk, held).fragments;
  expect(fragment?.ticks).toBe(1200);
  expect(fragment?.samples.at(-1)?.ticks).toBe(700);
});

it('frames that are shown at the same time are rejected', () => {
  const same = encoded.map((sample) => (sample.pts === 700 ? { ...sample, pts: 600 } : sample));
  expect(() => retimeFragments([{ ticks: 600, samples: same }], { firstFrame: 3, frames })).toThrow(
    'not in the order of a single pass',
  );
});
