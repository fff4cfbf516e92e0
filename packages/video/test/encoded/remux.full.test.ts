// @module-tag copies
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { findFonts } from '../../src/local-programs.ts';
import type { Format } from '../../src/media/formats.ts';
import { mainAudio } from '../../src/media/probe/streams.ts';
import { subtitleTracks } from '../../src/media/probe/subtitles.ts';
import { packetsOfStream, tagsOf } from '../builders/measure/packets.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { specialClip } from '../builders/media/clips.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { lateTrack } from '../builders/media/late-track.ts';
import { clipWithSubtitles, srtOf } from '../builders/media/subtitled-clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const hashes = async (path: string, stream: string) => (await packetsOfStream(path, stream)).map(({ hash }) => hash);

/** A clip with styled subtitles, two fonts and an attachment that is none. */
async function styledClip(): Promise<string> {
  const fonts = ['DejaVuSans.ttf', 'DejaVuSansMono.ttf'].map((name) => join(findFonts(), name));
  const types = ['application/x-truetype-font', 'application/vnd.ms-opentype', 'text/plain'];
  const text = fileURLToPath(import.meta.url);
  const styled = await clipWithSubtitles('mkv', 'ass', [{ text: srtOf('Hello') }]);
  return generatedFile('fonts.mkv', [
    ...['-i', styled, '-c', 'copy', '-map', '0', ...[...fonts, text].flatMap((path) => ['-attach', path])],
    ...types.flatMap((type, index) => [`-metadata:s:t:${index}`, `mimetype=${type}`]),
  ]);
}

/** Hashes of the first two attachments. */
async function attachments(path: string): Promise<string[]> {
  const directory = await aTemporaryFolder();
  const paths = [0, 1].map((index) => join(directory, String(index)));
  const dump = paths.flatMap((file, index) => [`-dump_attachment:t:${index}`, file]);
  await bareFfmpeg([...dump, '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'null', '-']);
  const contents = await Promise.all(paths.map((file) => readFile(file)));
  return contents.map((content) => createHash('sha256').update(content).digest('hex'));
}

describe('remux', () => {
  it.each([
    ['mov', 'mp4', 'mov_text'],
    ['mov', 'mkv', 'subrip'],
    ['mkv', 'mov', 'mov_text'],
  ] as const)('copies every packet of %s to %s, with languages, chapters and time code', async (from, to, text) => {
    const source = await editedClip(from);
    const { path } = await encodeOne(source, to, { name: 'remux' });
    for (const stream of ['v:0', 'a:0', 'a:1'])
      expect(await hashes(path, stream)).toEqual(await hashes(source, stream));
    expect(await tagsOf(path)).toEqual({
      streams: [
        { codec: 'h264' },
        { codec: 'aac', language: 'eng' },
        { codec: 'aac', language: 'ger' },
        { codec: text, language: 'fra' },
      ],
      chapters: ['Opening', 'Credits'],
      timecode: '10:00:00:00',
      title: undefined,
    });
  });

  it('keeps video and audio in step', async () => {
    const source = await editedClip('mov');
    const { path } = await encodeOne(source, 'mkv', { name: 'remux' });
    const offset = async (file: string) => {
      const [video, audio] = [await packetsOfStream(file, 'v:0'), await packetsOfStream(file, 'a:0')];
      return (video[0]?.seconds ?? Number.NaN) - (audio[0]?.seconds ?? Number.NaN);
    };
    expect(await offset(path)).toBeCloseTo(await offset(source), 2);
  });

  it('copies a broadcast to MP4', async () => {
    const source = await specialClip('broadcast');
    const { path, probe } = await encodeOne(source, 'mp4', { name: 'remux' });
    expect(await packetsOfStream(path, 'v:0')).toHaveLength((await packetsOfStream(source, 'v:0')).length);
    expect(probe.streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  });

  it.each(['ts', 'mkv'] as const)('copies a track that starts late from %s to MP4', async (container) => {
    const { path } = await encodeOne(await lateTrack(container), 'mp4', { name: 'remux' });
    const starts = ['v:0', 'a:0'].map(
      async (stream) => (await packetsOfStream(path, stream))[0]?.seconds ?? Number.NaN,
    );
    const [video = Number.NaN, audio = Number.NaN] = await Promise.all(starts);
    expect(Math.abs(audio - video - 110)).toBeLessThan(0.1);
  });

  it('keeps the chosen audio tracks in their order', async () => {
    const source = await editedClip('mov');
    const { path, probe } = await encodeOne(source, 'mp4', { name: 'remux', audioTracks: [1, 0] });
    const audio = probe.streams.filter(({ kind }) => kind === 'audio');
    expect(audio.map(({ isDefault }) => isDefault)).toEqual([true, false]);
    expect((await tagsOf(path)).streams.slice(1, 3)).toEqual([
      { codec: 'aac', language: 'ger' },
      { codec: 'aac', language: 'eng' },
    ]);
    expect(await hashes(path, 'a:0')).toEqual(await hashes(source, 'a:1'));
  });

  it.each([
    ['mp4', 'mkv', 'mov_text'],
    ['mp4', 'mov', 'mov_text'],
    ['mkv', 'mp4', 'srt'],
  ] as const)('copies %s whose subtitles last longer than its video, to %s', async (from, to, codec) => {
    const source = await clipWithSubtitles(from, codec, [{ text: '1\n00:00:01,000 --> 00:00:06,000\nStill here\n' }]);
    const { path } = await encodeOne(source, to, { name: 'remux' });
    const cues = await bareFfprobe([
      ...['-select_streams', 's', '-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0', path],
    ]);
    expect(cues.some((line) => /^1\.0\d+,5\.0/.test(line))).toBe(true);
  });

  it.each([{ name: 'remux' }, { name: 'clip', accuracy: 'keyframe', start: 1, end: 1.9 }] as const)(
    'keeps the fonts of styled subtitles in mkv: %o',
    async (recipe) => {
      const source = await styledClip();
      const { path } = await encodeOne(source, 'mkv', recipe);
      const kinds = (await tagsOf(path)).streams.map(({ codec }) => codec);
      expect(kinds).toEqual(['h264', 'ass', 'ttf', 'otf']);
      expect(await attachments(path)).toEqual(await attachments(source));
      const names = await bareFfprobe(['-show_entries', 'stream_tags=filename', '-of', 'csv=p=0', path]);
      expect(names).toEqual(['font-1.ttf', 'font-2.otf']);
    },
  );

  it.each([
    ['mkv', ['0', 'forced']],
    ['mkv', ['hearing_impaired']],
    ['mkv', ['0', 'default']],
    ['mp4', ['0', 'default']],
  ] as const)('keeps the subtitles of %s that are shown by default: %o', async (format, dispositions) => {
    const tracks = dispositions.map((disposition) => ({ text: srtOf('Hello'), disposition }));
    const source = await clipWithSubtitles('mkv', 'srt', tracks);
    const { probe } = await encodeOne(source, format, { name: 'remux' });
    const defaults = subtitleTracks(probe).map(({ isDefault }) => isDefault);
    expect(defaults).toEqual(dispositions.map((disposition) => disposition === 'default'));
  });

  it.each(['mkv', 'mp4'] as const)('makes an audio track the default in %s, as players do', async (format) => {
    const marks = ['-disposition:a', '0', '-disposition:s', '0'];
    const source = await generatedFile('unmarked.mkv', [
      ...['-i', await editedClip('mkv'), '-map', '0', '-c', 'copy', ...marks],
    ]);
    const { probe } = await encodeOne(source, format, { name: 'remux' });
    expect(mainAudio(probe)).toMatchObject({ language: 'eng', isDefault: true });
  });

  it.each<[Format, number[] | undefined, string]>([
    ['webm', undefined, 'webm cannot hold h264, the video of stream 0, without encoding. Use mp4 or mov or mkv'],
    ['mp4', [2], 'The input has no audio track 2; it has 0 (eng, aac), 1 (ger, aac)'],
  ])('rejects what %s cannot hold, or the input does not have', async (format, audioTracks, message) => {
    const recipe = { name: 'remux', audioTracks } as const;
    await expect(encodeOne(await editedClip('mov'), format, recipe)).rejects.toThrow(message);
  });
});
