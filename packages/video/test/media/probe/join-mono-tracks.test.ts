import { expect, it } from 'vitest';
import type { AudioStream } from '../../../src/media/probe/probe.ts';
import { joinMonoTracks } from '../../../src/media/probe/streams.ts';
import { anAudioStream } from '../../builders/media/a-probe.ts';

const mov = 'mov,mp4,m4a,3gp,3g2,mj2';
const pcm = { codec: 'pcm_s24le', channels: 1, sampleRateHz: 48_000, startSeconds: 0 };

/** Mono tracks, of which the last differs. */
function tracks(count: number, different: Partial<AudioStream> = {}): AudioStream[] {
  return Array.from({ length: count }, (_, number) =>
    anAudioStream({ ...pcm, index: number + 1, ...(number === count - 1 && different) }),
  );
}

it.each(['mxf', mov])('the first two of equal mono PCM tracks are one stereo track in %s', (container) => {
  for (const count of [2, 4]) {
    expect(joinMonoTracks(container, tracks(count))).toMatchObject({ index: 1, joinedIndexes: [2], channels: 2 });
  }
});

it('which of them is the default does not matter', () => {
  expect(joinMonoTracks(mov, tracks(2, { isDefault: false }))).toMatchObject({ index: 1, joinedIndexes: [2] });
});

it('a last packet may be shorter, and a container may state no end', () => {
  expect(joinMonoTracks(mov, tracks(2, { durationSeconds: 1.95 }))).toMatchObject({ joinedIndexes: [2] });
  expect(joinMonoTracks('mxf', tracks(2, { durationSeconds: undefined }))).toMatchObject({ joinedIndexes: [2] });
});

it.each<[string, string, AudioStream[]]>([
  ['one track', mov, tracks(1)],
  ['tracks in Matroska', 'matroska,webm', tracks(2)],
  ['AAC', mov, tracks(2).map((track) => ({ ...track, codec: 'aac' }))],
  ['another codec', mov, tracks(2, { codec: 'pcm_s16le' })],
  ['another language', mov, tracks(2, { language: 'deu' })],
  ['another sample rate', mov, tracks(2, { sampleRateHz: 44_100 })],
  ['a later start', mov, tracks(2, { startSeconds: 0.5 })],
  ['an earlier end', mov, tracks(2, { durationSeconds: 1 })],
  ['a third track in stereo', mov, tracks(3, { channels: 2 })],
])('%s is no pair', (_, container, streams) => {
  expect(joinMonoTracks(container, streams)).toBeUndefined();
});

const surround = ['FL', 'FR', '', 'LFE', 'SL', 'SR'].map((place) => (place ? `1 channels (${place})` : 'mono'));
const inPlaces = (layouts: readonly string[]) =>
  layouts.map((channelLayout, number) => anAudioStream({ ...pcm, index: number + 1, channelLayout }));

it.each<[string, AudioStream[]]>([
  ['alone', inPlaces(surround)],
  ['beside a stereo mix', [...inPlaces(surround), anAudioStream({ ...pcm, index: 7, channels: 2 })]],
])('six tracks that name the loudspeakers of 5.1 are one track, %s', (_, streams) => {
  expect(joinMonoTracks(mov, streams)).toMatchObject({ index: 1, channels: 6, joinedIndexes: [2, 3, 4, 5, 6] });
});

it('six tracks in another order are a pair', () => {
  expect(joinMonoTracks(mov, inPlaces(surround.toReversed()))).toMatchObject({ channels: 2, joinedIndexes: [2] });
});
