import { expect, it } from 'vitest';
import { measureSegmentRates, readSegmentDurations } from '../../../../core/media/playlists/segment-rates.ts';

/** A media playlist of segments of so many seconds and bytes each. */
function playlist(targetSeconds: number, segments: readonly (readonly [seconds: number, bytes: number])[]) {
  const lines = segments.map(
    ([seconds, bytes]) => `#EXTINF:${seconds.toFixed(6)},\n#EXT-X-BYTERANGE:${bytes}@0\nstream_0.mp4\n`,
  );
  return `#EXTM3U\n#EXT-X-TARGETDURATION:${targetSeconds}\n${lines.join('')}#EXT-X-ENDLIST\n`;
}

it('are those of the largest segment, and of all of them', () => {
  const text = playlist(4, [
    [4, 1000],
    [4, 3000],
    [4, 2000],
  ]);
  expect(measureSegmentRates(text)).toEqual({ peakBitsPerSecond: 6000, averageBitsPerSecond: 4000 });
});

it('are not those of a rest that is too short to matter, but of what it follows with it', () => {
  const text = playlist(4, [
    [4, 1000],
    [0.5, 1000],
  ]);
  expect(measureSegmentRates(text).peakBitsPerSecond).toBeCloseTo((8 * 2000) / 4.5, 6);
});

it('are those of the whole where it is but a moment', () => {
  expect(measureSegmentRates(playlist(4, [[0.04, 1000]]))).toEqual({
    peakBitsPerSecond: 200_000,
    averageBitsPerSecond: 200_000,
  });
  expect(measureSegmentRates('#EXTM3U\n')).toEqual({ peakBitsPerSecond: 0, averageBitsPerSecond: 0 });
});

it('are told with the length of each segment', () => {
  expect(
    readSegmentDurations(
      playlist(4, [
        [4.004, 1],
        [3.5, 1],
      ]),
    ),
  ).toEqual([4.004, 3.5]);
});
