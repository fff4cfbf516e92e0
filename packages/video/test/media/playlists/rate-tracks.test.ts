import { expect, it } from 'vitest';
import { rateTracks } from '../../../src/media/playlists/adaptive-set.ts';

const file = {
  initBytes: 700,
  index: { offset: 700, sizeBytes: 64 },
  codec: 'avc1.640028',
  ticksPerSecond: 1000,
  fragments: [],
};
const segmentsOf = (...lengths: [seconds: number, sizeBytes: number][]) =>
  lengths.map(([seconds, sizeBytes]) => ({ offset: 0, seconds, sizeBytes }));

it('video and audio have the target duration of the longest segment, which bounds the runs of their peaks', () => {
  const video = {
    kind: 'video',
    number: 0,
    name: '36p',
    file,
    segments: segmentsOf([8, 8000]),
    width: 64,
    height: 36,
    framesPerSecond: 25,
    maxFramesPerSecond: 25,
    keyframes: [],
  } as const;
  const audio = {
    kind: 'audio',
    number: 1,
    name: 'audio',
    isDefault: true,
    isAutoselect: true,
    channels: 1,
    file,
    segments: segmentsOf([2, 4000], [6, 3000]),
    sampleRateHz: 48_000,
  } as const;
  const subtitles = {
    kind: 'subtitles',
    number: 0,
    name: 'French',
    isForced: false,
    isAutoselect: true,
    segments: segmentsOf([6, 600], [2, 400]),
  } as const;
  const { targetSeconds, bufferSeconds, ...rated } = rateTracks({
    ...{ videos: [video], audios: [audio], subtitles: [subtitles] },
    ...{ segmentSeconds: 6, keyframeSeconds: 2 },
  });
  expect([targetSeconds, bufferSeconds]).toEqual([8, 8]);
  // A run of at least half the target: the first segment alone, of 16 kbit/s, is shorter.
  expect(rated.audios).toMatchObject([{ peakBitsPerSecond: 7000, averageBitsPerSecond: 7000 }]);
  // Their target duration is their own, of 6 s: the last segment, of 1600 bit/s, is shorter than half of it.
  expect(rated.subtitles).toMatchObject([{ peakBitsPerSecond: 1000, averageBitsPerSecond: 1000 }]);
});
