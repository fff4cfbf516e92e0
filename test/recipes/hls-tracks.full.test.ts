// @module-tag nightly
// @module-tag streams
// @module-tag audio
// @module-tag subtitles
import { readFile, writeFile } from 'node:fs/promises';
import {
  bareFfprobe,
  cachedFile,
  generatedFile,
  loudnessAt,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const seconds = 13;
const positioned = '00:02.000 --> 00:04.000 align:start line:10% position:20%\n<i>Ciao</i> A&amp;B &lt;3';

let files: EncodedFiles;

beforeAll(async () => {
  const english = await textFile('english.srt', '1\n00:00:01,000 --> 00:00:08,000\nHello\n');
  const french = await textFile('french.srt', '1\n00:00:02,000 --> 00:00:04,000\n{\\an8}<i>Bonjour</i> à A&B <3\n');
  const webVtt = await textFile('positions.vtt', `WEBVTT\n\n${positioned}\n`);
  const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`];
  const source = await generatedFile('three-languages.mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`],
    ...[...tone(440), ...tone(880), ...tone(220), '-i', english],
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-map', '4'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-c:s', 'srt'],
    ...'-metadata:s:a:0 language=eng -metadata:s:a:1 language=ger -metadata:s:a:2 language=ger'.split(' '),
    ...['-metadata:s:s:0', 'language=eng', '-disposition:a:0', '0', '-disposition:a:1', 'default'],
  ]);
  files = await encodeAll(
    source,
    'm3u8',
    {
      name: 'hls',
      preset: 'ultrafast',
      subtitles: [
        { url: 'https://customer.example/fr.srt', language: 'fr', name: 'Français' },
        { url: 'https://customer.example/signs.srt', language: 'fr', forced: true },
        { url: 'https://customer.example/it.vtt', language: 'it' },
      ],
    },
    { 'subtitles.0': french, 'subtitles.1': french, 'subtitles.2': webVtt },
  );
});

describe('a stream of a source with several tracks', () => {
  it('has every audio track once in HLS, the default track first', async () => {
    const { audios } = readMasterPlaylist(await files.text('hls'));
    expect(Object.entries(audios)).toMatchObject([
      ['German', { language: 'de', default: true, autoselect: true, uri: 'media_1.m3u8' }],
      ['English', { language: 'en', default: false, autoselect: true, uri: 'media_2.m3u8' }],
      ['German 2', { language: 'de', default: false, autoselect: false, uri: 'media_3.m3u8' }],
    ]);
    expect((await files.text('hls')).match(/CHANNELS="1"/g)).toHaveLength(3);
  });

  it('has the same audio tracks in DASH', async () => {
    const { audios } = readDash(await files.text('dash'));
    expect(audios.map(({ language, file }) => [language, file])).toEqual([
      ['de', 'stream_1.mp4'],
      ['en', 'stream_2.mp4'],
      ['de', 'stream_3.mp4'],
    ]);
    const names = ['audio', 'audio-2', 'audio-3'];
    const languageOf = (name: string) =>
      bareFfprobe(['-show_entries', 'stream_tags=language', '-of', 'csv=p=0', pathOf(name)]);
    expect((await Promise.all(names.map(languageOf))).flat()).toEqual(['ger', 'eng', 'ger']);
  });

  it('has the text tracks of the source, then the files of the request, as segmented WebVTT', async () => {
    const { subtitles } = readMasterPlaylist(await files.text('hls'));
    expect(Object.entries(subtitles)).toMatchObject([
      ['English', { language: 'en', autoselect: true, forced: false, uri: 'subtitles_0.m3u8' }],
      ['Français', { language: 'fr', autoselect: true, forced: false, uri: 'subtitles_1.m3u8' }],
      ['French (forced)', { language: 'fr', autoselect: true, forced: true, uri: 'subtitles_2.m3u8' }],
      ['Italian', { language: 'it', autoselect: true, forced: false, uri: 'subtitles_3.m3u8' }],
    ]);
    const bytes = await readFile(pathOf('subtitles-1-segments'));
    const { segments } = readHlsSegments(await files.text('subtitles-1-playlist'));
    const texts = segments.map(({ offset, length }) => bytes.toString('utf8', offset, offset + length));
    expect(texts.map((text) => text.includes('Hello'))).toEqual([true, true, false]);
    // Matroska states the priming of AAC as an earlier start of the file.
    expect(await files.text('subtitles-1')).toMatch(/^WEBVTT\n\n00:01\.0\d\d --> 00:08\.0\d\d\nHello\n$/);
    expect(await files.text('dash')).toContain('<BaseURL>subtitles_2.vtt</BaseURL>');
  });

  it('escapes the text of other formats, and keeps the positions of SRT', async () => {
    expect(await files.text('subtitles-2')).toContain(' line:0\n<i>Bonjour</i> à A&amp;B &lt;3\n');
    const segments = await readFile(pathOf('subtitles-2-segments'), 'utf8');
    expect(segments.match(/A&amp;B &lt;3/g)).toHaveLength(1);
  });

  it('has WebVTT with its positions, styles and escapes', async () => {
    expect(await files.text('subtitles-4')).toBe(`WEBVTT\n\n${positioned}\n`);
  });

  it('declares that it has no closed captions', async () => {
    const { sizes, audioOnly } = readMasterPlaylist(await files.text('hls'));
    expect([...sizes, ...audioOnly].map(({ captions }) => captions)).toEqual(['NONE', 'NONE']);
  });
});

function textFile(name: string, text: string): Promise<string> {
  return cachedFile({ name, recipe: [text] }, (path) => writeFile(path, text));
}

const pathOf = (name: string) => files.paths.get(name) ?? '';

function readHlsSegments(text: string) {
  const found = [...text.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\nsubtitle_segments_0\.vtt/g)];
  expect(text).toContain('#EXT-X-ENDLIST');
  expect(() => readMediaPlaylist(text)).toThrow();
  return { segments: found.map(([, length, offset]) => ({ offset: Number(offset), length: Number(length) })) };
}

it('a mono commentary beside a stereo track is on both channels, as loud as before', async () => {
  const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=2`];
  const source = await generatedFile('commentary.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2', ...tone(440), ...tone(880)],
    ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-c:a', 'flac', '-ac:a:0', '2', '-ac:a:1', '1'],
  ]);
  const stream = await encodeAll(source, 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect((await stream.text('hls')).match(/CHANNELS="\d"/g)).toEqual(['CHANNELS="2"', 'CHANNELS="2"']);
  const commentary = await generatedFile('commentary.flac', ['-i', source, '-map', '0:a:1', '-c', 'copy']);
  const levels = [stream.paths.get('audio-2') ?? '', commentary].map((path) => loudnessAt(path, 880));
  const [level = 0, expected = 0] = await Promise.all(levels);
  expect(Math.abs(level - expected)).toBeLessThan(1);
});

it('a text track that is not in UTF-8 is empty, and the stream is complete', async () => {
  const cyrillic = '1\n00:00:00,500 --> 00:00:01,500\n\xcf\xf0\xe8\xe2\xe5\xf2\n';
  const text = await cachedFile({ name: 'cyrillic.srt', recipe: [cyrillic, 'latin1'] }, (path) =>
    writeFile(path, cyrillic, 'latin1'),
  );
  const source = await generatedFile('cyrillic.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2', '-i', text],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:s', 'copy'],
  ]);
  const stream = await encodeAll(source, 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect(await stream.text('hls')).toContain('#EXT-X-STREAM-INF');
  expect(await stream.text('subtitles-1')).toMatch(/^WEBVTT\s*$/);
});
