import { expect, it } from 'vitest';
import { measureSegmentRates, readSegmentDurations } from '../../../../core/media/playlists/segment-rates.ts';

/** A media playlist of segments of so many seconds and bytes each. */
function playlist(targetSeconds: number, segments: readonly (readonly [seconds: number, bytes: number])[]) {
  const lines = segments.map(
    ([seconds, bytes]) => `#EXTINF:${seconds.toFixed(6)},\n#EXT-X-BYTERANGE:${bytes}@0\nstream_0.mp4\n`,
  );
  return `#EXTM3U\n#EXT-X-TARGETDURATION:${targetSeconds}\n${lines.join('')}#EXT-X-ENDLIST\n`;
}

it('the peak and average rates come from the largest segment and from all segments', () => {
  const text = playlist(4, [
    [4, 1000],
    [4, 3000],
    [4, 2000],
  ]);
  expect(measureSegmentRates(text)).toEqual({ peakBitsPerSecond: 6000, averageBitsPerSecond: 4000 });
});

it('a short last segment counts together with the one before it', () => {
  const text = playlist(4, [
    [4, 1000],
    [0.5, 1000],
  ]);
  expect(measureSegmentRates(text).peakBitsPerSecond).toBeCloseTo((8 * 2000) / 4.5, 6);
});

it('the peak of a very short stream is its average', () => {
  expect(measureSegmentRates(playlist(4, [[0.04, 1000]]))).toEqual({
    peakBitsPerSecond: 200_000,
    averageBitsPerSecond: 200_000,
  });
  expect(measureSegmentRates('#EXTM3U\n')).toEqual({ peakBitsPerSecond: 0, averageBitsPerSecond: 0 });
});

it('each segment has its duration', () => {
  expect(
    readSegmentDurations(
      playlist(4, [
        [4.004, 1],
        [3.5, 1],
      ]),
    ),
  ).toEqual([4.004, 3.5]);
});
