// @module-tag audio
import { describe, expect, it } from 'vitest';
import { audioSeconds, loudnessAt } from '../builders/measure/measure-video.ts';
import { bareFfmpeg, bareFfmpegOutput, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { lateTrack } from '../builders/media/late-track.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

describe('extract-audio', () => {
  it.each([
    ['mp3', 'mp3'],
    ['m4a', 'aac'],
    ['opus', 'opus'],
    ['flac', 'flac'],
    ['wav', 'pcm_s16le'],
  ] as const)('writes %s with the same loudness and duration', async (format, codec) => {
    const source = await clipWith();
    const output = await encodeOne(source, format, { name: 'extract-audio' });
    expect(output.probe.streams).toMatchObject([{ kind: 'audio', codec, channels: 1 }]);
    expect(Math.abs((await loudnessAt(output.path, 440)) - (await loudnessAt(source, 440)))).toBeLessThan(1);
    expect(Math.abs((await audioSeconds(output.path)) - 2)).toBeLessThan(0.08);
  });

  it.each(['mp3', 'm4a'] as const)('writes the tags and the cover of %s, and no tag of the source', async (format) => {
    const image = await generatedFile('cover.png', ['-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1']);
    const tags = { title: 'One = two', artist: 'Ä & B', album: 'C', date: '2026' };
    const files = { inputs: [await clipWith()], assets: { cover: image } } as const;
    const cover = 'https://example.com/cover.png';
    const { path, probe } = await encodeOne(files, format, { name: 'extract-audio', tags, cover });
    const shown = await bareFfprobe([
      '-show_entries',
      'format_tags:stream=codec_name,width:stream_disposition=attached_pic',
      '-of',
      'json',
      path,
    ]);
    const { format: container, streams } = JSON.parse(shown.join(''));
    expect(container.tags).toMatchObject(tags);
    expect(streams).toMatchObject([
      { disposition: { attached_pic: 0 } },
      { codec_name: 'mjpeg', width: 64, disposition: { attached_pic: 1 } },
    ]);
    expect(probe.streams.filter(({ kind }) => kind === 'audio')).toHaveLength(1);
    expect(Math.abs((await audioSeconds(path)) - 2)).toBeLessThan(0.08);
  });

  it.each(['mp3', 'm4a', 'opus', 'flac', 'wav'] as const)(
    'writes %s of a track that starts later than it lasts, by more than a minute',
    async (format) => {
      const output = await encodeOne(await lateTrack(), format, { name: 'extract-audio' });
      expect(Math.abs((await audioSeconds(output.path)) - 10)).toBeLessThan(0.08);
    },
  );

  it.each(['mkv', 'webm', 'ts'] as const)(
    'finds the start of a late track in %s, whose header does not have it',
    async (container) => {
      const output = await encodeOne(await lateTrack(container), 'm4a', { name: 'extract-audio' });
      expect(output.probe.streams).toMatchObject([{ channels: 1, sampleRateHz: 48_000 }]);
      expect(Math.abs((await audioSeconds(output.path)) - 10)).toBeLessThan(0.08);
    },
  );

  it.each([
    ['24 bits', 'pcm_s24le'],
    ['floats', 'pcm_f32le'],
  ])('keeps each sample of %s in a wav, to 24 bits', async (_, codec) => {
    const noise = ['-f', 'lavfi', '-i', "aevalsrc='0.5*(2*random(0)-1)':s=48000:d=1", '-c:a', codec];
    const source = await generatedFile('noise.wav', noise);
    const output = await encodeOne(source, 'wav', { name: 'extract-audio' });
    expect(output.probe.streams).toMatchObject([{ codec: 'pcm_s24le', bitDepth: 24 }]);
    const samples = (path: string) => bareFfmpegOutput(['-i', path, '-f', 's24le', '-']);
    expect((await samples(output.path)).equals(await samples(source))).toBe(true);
  });

  it('writes 16 bits for a lossy source', async () => {
    const output = await encodeOne(await clipWith(), 'flac', { name: 'extract-audio' });
    expect(output.probe.streams).toMatchObject([{ codec: 'flac', bitDepth: 16 }]);
  });

  it.each([
    ['m4a', 48_000],
    ['flac', 96_000],
  ] as const)('of 96 kHz writes %s at %d Hz', async (format, sampleRateHz) => {
    const tone = ['-f', 'lavfi', '-i', 'sine=sample_rate=96000:duration=1', '-c:a', 'pcm_s24le'];
    const source = await generatedFile('fine.wav', tone);
    const output = await encodeOne(source, format, { name: 'extract-audio' });
    expect(output.probe.streams).toMatchObject([{ sampleRateHz }]);
  });

  it.each([
    ['that is loud', 0.9, -0.3],
    ['that is soft, which loses nothing', 0.2, -6.33],
  ])('downmixes surround %s to stereo without clipping', async (_, level, decibels) => {
    const channel = `${level}*sin(2*PI*300*t)`;
    const tone = ['-f', 'lavfi', '-i', `aevalsrc=${Array(6).fill(channel).join('|')}:c=5.1:s=48000:d=2`];
    const source = await cachedFile({ name: 'surround.mka', recipe: tone }, (path) =>
      bareFfmpeg(['-v', 'error', ...tone, '-c:a', 'aac', '-b:a', '512k', path]),
    );
    for (const output of [
      await encodeOne(source, 'm4a', { name: 'extract-audio', bitrate: 320 }),
      await encodeOne(source, 'opus', { name: 'extract-audio', bitrate: 320 }),
    ]) {
      const report = await bareFfmpeg(['-i', output.path, '-af', 'astats', '-f', 'null', '-']);
      const peak = Number(/Overall[\s\S]*Peak level dB: (-?[\d.]+)/.exec(report)?.[1]);
      // Encoders overshoot a little at the beginning.
      expect(Math.abs(peak - decibels)).toBeLessThan(0.8);
      expect(Math.abs((await audioSeconds(output.path)) - 2)).toBeLessThan(0.08);
    }
  });

  it('uses the default track', async () => {
    const output = await encodeOne(await clipWith({ audio: 'several' }), 'wav', { name: 'extract-audio' });
    expect(await loudnessAt(output.path, 1760)).toBeGreaterThan((await loudnessAt(output.path, 440)) + 20);
  });

  it('drops a cover image', async () => {
    const output = await encodeOne(await specialClip('coverArt'), 'mp3', { name: 'extract-audio' });
    expect(output.probe.streams).toMatchObject([{ kind: 'audio' }]);
  });

  it('keeps all of a saved stream whose duration ffprobe estimates wrong', async () => {
    const output = await encodeOne(await specialClip('savedStream'), 'flac', { name: 'extract-audio' });
    expect(output.probe.durationSeconds).toBeCloseTo(20, 0);
  });
});
