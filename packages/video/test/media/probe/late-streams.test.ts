import { expect, it } from 'vitest';
import { lateStreamOptions, needsStreamSearch } from '../../../src/media/probe/streams.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const streams = [aVideoStream(), anAudioStream()];
const cover = aVideoStream({ isAttachedPicture: true });
const withoutFormat = anAudioStream({ channels: 0, sampleRateHz: 0 });

it.each([
  ['Matroska with several streams', 'matroska,webm', streams, true],
  ['Matroska with one stream and a cover', 'matroska,webm', [anAudioStream(), cover], false],
  ['MP4', 'mov,mp4,m4a,3gp,3g2,mj2', streams, false],
  ['MPEG-TS', 'mpegts', streams, false],
  ['MPEG-TS with a stream without a format', 'mpegts', [aVideoStream(), withoutFormat], true],
  [
    'MPEG-TS with a stream of no known codec',
    'mpegts',
    [...streams, anAudioStream({ ...withoutFormat, codec: 'unknown' })],
    false,
  ],
])('whether %s is searched for the first packets', (_, container, found, expected) => {
  expect(needsStreamSearch(aProbe(found, { container }))).toBe(expected);
});

it.each([
  ['mpegts', 8, true],
  ['mpegts', 1, false],
  ['matroska,webm', 8, false],
])('whether ffmpeg searches an input in %s with a stream that starts at %d s', (container, startSeconds, expected) => {
  const probe = aProbe([aVideoStream(), anAudioStream({ startSeconds })], { container });
  expect(lateStreamOptions(probe).length > 0).toBe(expected);
});
