// @module-tag quality
// @module-tag audio
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { packetsOfStream, tagsOf } from '../builders/measure/packets.ts';
import { bareFfmpegOutput, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { specialClip } from '../builders/media/clips.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const hashes = async (path: string) => (await packetsOfStream(path, 'v:0')).map(({ hash }) => hash);

it.each(['mute', 'normalize-audio'] as const)(
  'ProRes in MOV %s copies the video, with its chapters and its time code',
  async (name) => {
    const source = await editedClip('mov', 'prores');
    const { path } = await encodeOne(source, 'mov', { name });
    expect(await hashes(path)).toEqual(await hashes(source));
    expect(await tagsOf(path)).toMatchObject({
      chapters: ['Opening', 'Credits'],
      timecode: '10:00:00:00',
      title: undefined,
    });
  },
);

const timecodeClip = (rate: string, timecode: string) =>
  generatedFile('timecode.mov', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=${rate}:duration=4`, '-c:v', 'libx264', '-g', '15'],
    ...['-preset', 'ultrafast', '-timecode', timecode],
  ]);

it.each([
  ['25', '01:00:00:00', 'mov', 3, '01:00:03:00'],
  ['25', '01:00:00:00', 'mkv', 3, '01:00:03:00'],
  ['30000/1001', '00:00:58;00', 'mov', 2.1, '00:01:00;02'],
  ['25', '01:00:00:00', 'mov', 0, '01:00:00:00'],
] as const)(
  'a clip from a keyframe has its own time code: %s, %s, %s from %d s',
  async (rate, timecode, format, start, expected) => {
    const source = await timecodeClip(rate, timecode);
    const recipe = { name: 'clip', accuracy: 'keyframe', start, end: 4 } as const;
    const { path } = await encodeOne(source, format, recipe);
    expect((await tagsOf(path)).timecode).toBe(expected);
  },
);

describe('transcode to ProRes', () => {
  it.each([
    ['proxy', 'apco', 'yuv422p10le'],
    ['hq', 'apch', 'yuv422p10le'],
    ['4444', 'ap4h', 'yuv444p10le'],
  ] as const)('%s is tagged %s, has 10 bits, chapters, time code, all channels', async (profile, tag, pixelFormat) => {
    const source = await editedClip('mkv');
    const recipe = { name: 'transcode', codec: 'prores', profile } as const;
    const { path, probe } = await encodeOne(source, 'mov', { ...recipe, audioTracks: [1, 0] });
    const audio = probe.streams.filter(({ kind }) => kind === 'audio');
    expect(audio.map(({ isDefault }) => isDefault)).toEqual([true, false]);
    const [video] = await bareFfprobe([
      ...[...'-select_streams v:0 -show_entries stream=codec_tag_string,pix_fmt -of csv=p=0'.split(' '), path],
    ]);
    // ffprobe decodes 4444 to 12 bits.
    expect(video).toMatch(new RegExp(`^${tag},${pixelFormat.replace('10le', '1[02]le')}`));
    expect(probe.streams.filter(({ kind }) => kind === 'audio').map(({ codec }) => codec)).toEqual([
      'pcm_s16le',
      'pcm_s16le',
    ]);
    expect(await tagsOf(path)).toMatchObject({ chapters: ['Opening', 'Credits'], timecode: '10:00:00:00' });
    expect(
      await ssim({ path, filters: 'format=yuv420p' }, { path: source, filters: 'format=yuv420p' }),
    ).toBeGreaterThan(0.95);
  });

  it.each([
    ['30000/1001', '01:00:00;00', { fps: 25 }, '01:00:00:00'],
    ['30', '01:00:00:20', { fps: 25 }, '01:00:00:17'],
    ['25', '01:00:00:20', {}, '01:00:00:20'],
    ['30000/1001', '01:00:00;20', {}, '01:00:00;20'],
  ] as const)('counts the frames of its own rate: %s, %s, %o', async (rate, timecode, change, expected) => {
    const source = await timecodeClip(rate, timecode);
    const { path } = await encodeOne(source, 'mov', { name: 'transcode', codec: 'prores', ...change });
    expect((await tagsOf(path)).timecode).toBe(expected);
  });

  it('keeps transparency in 4444, the default for it', async () => {
    const ramp = "format=rgba,geq=r=200:g=100:b=50:a='255*X/W'";
    const clear = await generatedFile('clear.mov', [
      ...['-f', 'lavfi', '-i', `color=black:size=256x64:rate=25:duration=0.2,${ramp}`, '-c:v', 'qtrle'],
    ]);
    const { path } = await encodeOne(clear, 'mov', { name: 'transcode', codec: 'prores' });
    const raw = ['-i', path, '-frames:v', '1', '-vf', 'alphaextract,format=gray', '-f', 'rawvideo', '-'];
    const alpha = await bareFfmpegOutput(raw);
    for (const x of [0, 64, 128, 192]) expect(Math.abs((alpha[32 * 256 + x] ?? 0) - x)).toBeLessThan(4);
  });

  it('keeps the frames of an interlaced source, which its time code counts', async () => {
    const { probe } = await encodeOne(await specialClip('interlaced'), 'mov', { name: 'transcode', codec: 'prores' });
    expect(probe.streams[0]).toMatchObject({ framesPerSecond: 25 });
  });
});

describe('the frames of ProRes', () => {
  const proxy = { name: 'transcode', codec: 'prores', profile: 'proxy' } as const;
  const tone = ['-f', 'lavfi', '-i', 'sine=440:sample_rate=48000:duration=4'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'];
  const milliseconds = ['-video_track_timescale', '1000'];
  /** Audio starts at 0, and the video `late` seconds later. */
  const clip = (name: string, { rate = '24000/1001', late = 0, filters = 'null', options = [] as string[] }) => {
    const source = `testsrc2=size=160x90:rate=${rate}:duration=4,${filters}`;
    const video = ['-itsoffset', String(late), '-f', 'lavfi', '-i', source];
    return generatedFile(name, [...tone, ...video, ...x264, '-fps_mode', 'vfr', ...options]);
  };
  const timesOf = async (path: string) =>
    (await packetsOfStream(path, 'v:0')).map(({ seconds }) => seconds).sort((a, b) => a - b);

  it.each([
    ['24000/1001', 'mkv', []],
    ['30000/1001', 'mkv', []],
    ['60000/1001', 'mkv', []],
    ['25', 'mkv', []],
    ['23.976', 'mkv', []],
    ['24000/1001', 'mp4', []],
    ['24000/1001', 'mp4', milliseconds],
    ['30000/1001', 'mov', milliseconds],
    ['24000/1001', 'ts', []],
    ['24000/1001', 'flv', []],
  ])('last equally long at %s, from %s %o', async (rate, container, options) => {
    const source = await clip(`constant.${container}`, { rate, options });
    const { path, probe } = await encodeOne(source, 'mov', proxy);
    const [read, written] = [await timesOf(source), await timesOf(path)];
    expect(written).toHaveLength(read.length);
    const [frames = 0, seconds = 1] = rate === '23.976' ? [24_000, 1001] : rate.split('/').map(Number);
    expect(await ticksOf(path)).toEqual({ seconds: seconds / frames, entries: 1 });
    const video = probe.streams.find(({ kind }) => kind === 'video');
    expect(video).toMatchObject({ framesPerSecond: frames / seconds, baseFramesPerSecond: frames / seconds });
  });

  it('start where those of the source do', async () => {
    const source = await clip('late.mkv', { late: 0.731 });
    const { path } = await encodeOne(source, 'mov', proxy);
    const [read, written] = [await timesOf(source), await timesOf(path)];
    expect(Math.abs((written[0] ?? 0) - (read[0] ?? 0))).toBeLessThan(0.001);
    expect(written).toHaveLength(read.length);
    expect(await ticksOf(path)).toEqual({ seconds: 1001 / 24_000, entries: 1 });
  });

  it.each(['mp4', 'mkv'])('keep their times where the rate varies, from %s', async (container) => {
    // ffmpeg states the average rate in Matroska as that of every frame.
    const source = await clip(`variable.${container}`, { rate: '30', filters: "select='mod(n,7)*mod(n,5)'" });
    const { path } = await encodeOne(source, 'mov', proxy);
    const [read, written] = [await timesOf(source), await timesOf(path)];
    expect(written).toHaveLength(read.length);
    for (const [index, seconds] of written.entries()) {
      expect(Math.abs(seconds - (read[index] ?? Number.NaN))).toBeLessThan(0.0011);
    }
  });

  it('have the rate that is asked for', async () => {
    const { path } = await encodeOne(await clip('constant.mkv', {}), 'mov', { ...proxy, fps: 25 });
    expect(await ticksOf(path)).toEqual({ seconds: 1 / 25, entries: 1 });
  });
});

/** The durations of the frames by the `stts` box: of the first, and how many entries there are. */
async function ticksOf(path: string): Promise<{ seconds: number; entries: number }> {
  const [base = ''] = await bareFfprobe([
    ...'-select_streams v:0 -show_entries stream=time_base -of csv=p=0'.split(' '),
    path,
  ]);
  const bytes = await readFile(path);
  const table = bytes.indexOf('stts');
  const ticks = bytes.readUInt32BE(table + 16);
  return { seconds: ticks / Number(base.split('/')[1]), entries: bytes.readUInt32BE(table + 8) };
}
