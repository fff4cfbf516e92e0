import { describe, expect, it } from 'vitest';
import type { Format } from '../../../src/media/formats.ts';
import { droppedTracks } from '../../../src/recipes/graph/steps.ts';
import { recipeRequestSchema } from '../../../src/recipes.ts';
import { anAudioStream, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';

const [aac, ac4] = [anAudioStream(), anAudioStream({ index: 2, codec: 'ac4', language: 'deu' })];

const dropped = (recipe: object, format: Format, tracks: Parameters<typeof aProbe>[0]) =>
  droppedTracks({ recipe: recipeRequestSchema.parse(recipe), format }, aProbe([aVideoStream(), ...(tracks ?? [])]));

const warning = (number: number) => ({
  code: 'TRACK_DROPPED',
  message: `Audio track ${number} (deu, ac4) is left out: it is ac4, which no decoder of this service has`,
});

describe('audio that no decoder has', () => {
  it.each<[object, Format]>([
    [{ name: 'remux' }, 'mp4'],
    [{ name: 'clip', start: 0, end: 1, accuracy: 'keyframe' }, 'mp4'],
    [{ name: 'hls' }, 'm3u8'],
  ])('is named, beside other audio, by %o, which keeps all tracks', (recipe, format) => {
    expect(dropped(recipe, format, [aac, ac4])).toEqual([warning(1)]);
  });

  it('is named by a recipe of one track only if the video is silent', () => {
    expect(dropped({ name: 'compress' }, 'mp4', [aac, ac4])).toEqual([]);
    expect(dropped({ name: 'compress' }, 'mp4', [ac4])).toEqual([warning(0)]);
  });

  it.each<[object, Format]>([
    [{ name: 'mute' }, 'mp4'],
    [{ name: 'transcode', audioTracks: [0] }, 'mp4'],
    [{ name: 'gif' }, 'gif'],
    [{ name: 'thumbnail' }, 'jpg'],
  ])('is not named by %o, which was not to have it', (recipe, format) => {
    expect(dropped(recipe, format, [ac4])).toEqual([]);
  });
});

it('subtitles that a format cannot hold are named by a copy', () => {
  const subtitles = [aSubtitleStream(), aSubtitleStream({ index: 3, codec: 'hdmv_pgs_subtitle' })];
  expect(dropped({ name: 'remux' }, 'mp4', subtitles)).toEqual([
    {
      code: 'SUBTITLE_DROPPED',
      message: 'Subtitle track 1 (eng, hdmv_pgs_subtitle) is left out: mp4 cannot hold hdmv_pgs_subtitle',
    },
  ]);
  expect(dropped({ name: 'compress' }, 'mp4', subtitles)).toEqual([]);
});
