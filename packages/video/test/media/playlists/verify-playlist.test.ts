import { describe, expect, it } from 'vitest';
import { readPlaylistSeconds, verifyPlaylist } from '../../../src/media/playlists/references.ts';

const media = '#EXTM3U\n#EXTINF:4.000000,\na.mp4\n#EXTINF:2.5,\na.mp4\n#EXT-X-ENDLIST\n';
const planned = { format: 'm3u8', outputFilenames: ['a.mp4', 'b.m3u8'], durationSeconds: 6.5 } as const;

describe('a finished playlist', () => {
  it('passes if its files exist and its duration is as planned', () => {
    expect(() => verifyPlaylist(media, planned)).not.toThrow();
    expect(() => verifyPlaylist('#EXTM3U\nb.m3u8\n', { ...planned, durationSeconds: undefined })).not.toThrow();
  });

  it.each([
    ['that refers to a missing file', media.replace('a.mp4', 'c.mp4'), 'refers to c.mp4, which is not an output'],
    ['that refers to no file', '#EXTM3U\n', 'refers to no file'],
    ['that ends too early', media.replace('#EXTINF:4.000000,\na.mp4\n', ''), 'lasts 2.50 s; expected 6.50 s'],
  ])('%s is rejected', (_, text, message) => expect(() => verifyPlaylist(text, planned)).toThrow(message));
});

it.each([
  ['m3u8', media, 6.5],
  ['m3u8', '#EXTM3U\nb.m3u8\n', undefined],
  ['mpd', '<MPD mediaPresentationDuration="PT1H2M3.5S">', 3723.5],
  ['mpd', '<MPD mediaPresentationDuration="PT9.3S">', 9.3],
  ['mpd', '<MPD>', undefined],
  ['vtt', 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\na.jpg\n\n00:00:02.000 --> 01:00:04.250\na.jpg\n', 3604.25],
  ['vtt', 'WEBVTT\n', undefined],
] as const)('the duration of a playlist is the one that it declares: %s %j', (format, text, seconds) => {
  expect(readPlaylistSeconds(text, format)).toBe(seconds);
});
