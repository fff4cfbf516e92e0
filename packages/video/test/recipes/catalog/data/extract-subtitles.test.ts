import { describe, expect, it } from 'vitest';
import { recipeRequestSchema } from '../../../../src/recipes/registry.ts';
import { anAudioStream, aProbe, aSubtitleStream, aVideoStream } from '../../../builders/media/a-probe.ts';
import { commandLines, plan } from '../../../builders/recipes/plan.ts';

const video = aProbe([
  aVideoStream(),
  anAudioStream(),
  aSubtitleStream({ index: 2, codec: 'hdmv_pgs_subtitle', language: 'ger', isDefault: true }),
  aSubtitleStream({ index: 3, codec: 'subrip', language: 'eng' }),
  aSubtitleStream({ index: 4, codec: 'subrip', language: 'deu', isForced: true }),
  aSubtitleStream({ index: 5, codec: 'mov_text', language: 'ger' }),
]);
const tracks = 'it has 0 (ger, hdmv_pgs_subtitle), 1 (eng, subrip), 2 (deu, subrip, forced), 3 (ger, mov_text)';

type TrackChoice = { track?: number; language?: string };

const line = (choice: TrackChoice, format: 'srt' | 'vtt' = 'srt', probe = video) =>
  commandLines(plan({ name: 'extract-subtitles', ...choice }, format, probe));

describe('extract-subtitles', () => {
  it.each<[TrackChoice, 'srt' | 'vtt', string]>([
    [{}, 'srt', '0:3 -c:s copy'],
    [{ track: 2 }, 'srt', '0:4 -c:s copy'],
    [{ language: 'de' }, 'srt', '0:4 -c:s copy'],
    [{ language: 'ger', track: 2 }, 'srt', '0:5 -c:s text'],
    [{ track: 0 }, 'vtt', '0:2 -c:s copy'],
  ])('selects for %o as %s the stream %s', (choice, format, stream) => {
    const muxer = format === 'vtt' ? 'webvtt' : 'srt';
    const probe = format === 'vtt' ? aProbe([aVideoStream(), aSubtitleStream({ index: 2, codec: 'webvtt' })]) : video;
    expect(line(choice, format, probe)).toEqual([
      `-i /in -map ${stream} -map_metadata -1 -map_chapters -1 -f ${muxer} /out/output.${format}`,
    ]);
  });

  it('selects the default track if it is text', () => {
    const probe = aProbe([aSubtitleStream({ index: 1 }), aSubtitleStream({ index: 2, isDefault: true })]);
    expect(line({}, 'srt', probe)[0]).toContain('-map 0:2 ');
  });

  it.each<[TrackChoice, string]>([
    [{ track: 4 }, 'The input has no subtitle track 4'],
    [{ track: 0 }, 'Subtitle track 0 of the input is not text'],
    [{ language: 'fr' }, 'The input has no text subtitles in fr'],
    [{ language: 'en', track: 1 }, 'The input has no subtitle track 1 in en'],
    [{ language: 'de', track: 0 }, 'Subtitle track 0 in de of the input is not text'],
  ])('rejects %o and lists the tracks', (choice, message) => {
    expect(() => line(choice)).toThrow(
      expect.objectContaining({ code: 'INPUT_UNSUPPORTED', message: `${message}; ${tracks}`, retryable: false }),
    );
  });

  it('rejects a video without subtitle tracks and mentions captions', () => {
    expect(() => line({}, 'srt', aProbe([aVideoStream()]))).toThrow(
      'The input has no text subtitles; it has no subtitle track. Captions inside the video stream (CEA-608) are not read',
    );
  });

  it('lists a track without a language', () => {
    const { language: _, ...track } = aSubtitleStream({ codec: 'dvb_subtitle' });
    expect(() => line({}, 'srt', aProbe([track]))).toThrow('it has 0 (no language, dvb_subtitle)');
  });

  it.each(['english', 'DE', 'd', 'de_AT', ''])('rejects the language %j', (language) => {
    const { error } = recipeRequestSchema.safeParse({ name: 'extract-subtitles', language });
    expect(error?.issues).toMatchObject([{ path: ['language'] }]);
  });
});
