import { expect, it } from 'vitest';
import type { VideoStream } from '../../../src/media/probe/probe.ts';
import { levelOf } from '../../../src/media/probe/stated-properties.ts';
import { describedProbe } from '../../../src/recipes/catalog/data/probe.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

it('every declared language has its tag of BCP 47', () => {
  const tracks = [
    anAudioStream({ language: 'ger' }),
    anAudioStream({ language: 'por', languageTag: 'pt-BR' }),
    anAudioStream(),
  ];
  const { streams } = describedProbe(aProbe(tracks));
  expect(streams.map(({ languageTag }) => languageTag)).toEqual(['de', 'pt-BR', undefined]);
});

const constant = { framesPerSecond: 25, baseFramesPerSecond: 25, packets: 500 };

it.each<[boolean | undefined, Partial<VideoStream>, string?]>([
  [false, constant],
  [true, { ...constant, framesPerSecond: 24.1 }],
  [true, { ...constant, baseFramesPerSecond: 90_000 }],
  // The last frame of ten lasts longer.
  [false, { ...constant, packets: 10, framesPerSecond: 23.5 }],
  [undefined, constant, 'matroska,webm'],
  [true, { ...constant, framesPerSecond: 20 }, 'matroska,webm'],
  [undefined, { ...constant, packets: undefined }],
  [undefined, { ...constant, framesPerSecond: 20, statesFieldRate: true }],
])('a frame rate varies: %s, of %j in %s', (isVariableFrameRate, differences, container = aProbe().container) => {
  const probe = aProbe([aVideoStream(differences)], { container });
  expect(describedProbe(probe).streams).toMatchObject([{ isVariableFrameRate, frames: differences.packets }]);
});

it.each([
  ['h264', 31, '3.1'],
  ['h264', 9, '1b'],
  ['hevc', 93, '3.1'],
  ['av1', 0, '2.0'],
  ['av1', 9, '4.1'],
  ['av1', 31, undefined],
  ['vp9', 41, '4.1'],
  ['h264', -99, undefined],
  ['mpeg2video', 8, undefined],
])('the level of %s as %d is %s', (codec, level, expected) => expect(levelOf(codec, level)).toBe(expected));
