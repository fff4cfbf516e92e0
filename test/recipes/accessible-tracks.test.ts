// @module-tag audio
// @module-tag streams
// @module-tag subtitles
import { writeFile } from 'node:fs/promises';
import { cachedFile, encodeOne, generatedFile, loudnessAt, readMasterPlaylist } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const [described, main, german] = [440, 880, 220];

let source: string;
let files: EncodedFiles;

beforeAll(async () => {
  source = await aDescribedVideo();
  files = await encodeAll(source, 'm3u8', { name: 'hls', preset: 'ultrafast' });
});

it('an audio description comes behind the main track, by its name and its characteristic', async () => {
  const text = await files.text('hls');
  const { audios } = readMasterPlaylist(text);
  expect(Object.entries(audios)).toMatchObject([
    ['English', { default: true, autoselect: true }],
    [
      'English (audio description)',
      { default: false, autoselect: true, characteristics: 'public.accessibility.describes-video' },
    ],
    ['German', { default: false, autoselect: true }],
  ]);
  expect(text.match(/TYPE=AUDIO.*CHARACTERISTICS/g)).toHaveLength(1);
});

it('captions have the characteristics by which devices choose them, beside the subtitles', async () => {
  const { subtitles } = readMasterPlaylist(await files.text('hls'));
  expect(Object.entries(subtitles)).toMatchObject([
    [
      'English (SDH)',
      {
        autoselect: true,
        characteristics:
          'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound',
      },
    ],
    ['English', { autoselect: true }],
  ]);
});

it('DASH has their roles, and their purpose by DVB', async () => {
  const sets = (await files.text('dash')).split('<AdaptationSet').slice(2);
  const described = sets.map((set) => [
    /<Label>(.*)<\/Label>/.exec(set)?.[1],
    /AudioPurposeCS:2007" value="(\d)"/.exec(set)?.[1],
    ...[...set.matchAll(/role:2011" value="([^"]*)"/g)].map(([, role]) => role),
  ]);
  expect(described).toEqual([
    ['English', undefined, 'main'],
    ['English (audio description)', '1', 'alternate', 'description'],
    ['German', undefined, 'alternate'],
    ['English (SDH)', '2', 'caption'],
    ['English', undefined, 'subtitle'],
  ]);
});

it('another recipe takes the main track, also if the description is first and the default', async () => {
  const { path } = await encodeOne(source, 'mp3', { name: 'extract-audio' });
  expect(await loudnessAt(path, main)).toBeGreaterThan((await loudnessAt(path, described)) + 20);
});

it('a copy as MOV, which does not store which track describes the video, is complete', async () => {
  const mixed = await generatedFile('described-in-ac3.mkv', [
    ...['-i', source, '-map', '0:v', '-map', '0:a:0', '-map', '0:a:1', '-c', 'copy', '-c:a:0', 'ac3'],
    ...['-disposition:a:0', 'visual_impaired'],
  ]);
  const { probe } = await encodeOne(mixed, 'mov', { name: 'remux' });
  expect(probe.streams.map(({ codec }) => codec)).toEqual(['h264', 'ac3', 'aac']);
});

/** A video of a second whose first track, the default, has an audio description, and whose first subtitles are captions. */
async function aDescribedVideo(): Promise<string> {
  const text = '1\n00:00:00,100 --> 00:00:00,900\n[Music]\n';
  const captions = await cachedFile({ name: 'captions.srt', recipe: [text] }, (path) => writeFile(path, text));
  const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=1`];
  const language = (stream: string, code: string) => [`-metadata:s:${stream}`, `language=${code}`];
  return generatedFile('described.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1'],
    ...[...tone(described), ...tone(main), ...tone(german), '-i', captions],
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-map', '4', '-map', '4'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-c:s', 'srt'],
    ...[language('a:0', 'eng'), language('a:1', 'eng'), language('a:2', 'ger')].flat(),
    ...[language('s:0', 'eng'), language('s:1', 'eng')].flat(),
    ...['-disposition:a:0', 'default+visual_impaired', '-disposition:a:1', '0', '-disposition:a:2', '0'],
    ...['-disposition:s:0', 'hearing_impaired', '-disposition:s:1', '0'],
  ]);
}
