import { describe, expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { packetsOf, tagsOf } from '../builders/measure/packets.ts';
import { bareFfmpegOutput, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { specialClip } from '../builders/media/clips.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const hashes = async (path: string) => (await packetsOf(path, 'v:0')).map(({ hash }) => hash);

describe('ProRes in MOV', () => {
  it.each(['mute', 'normalize-audio'] as const)(
    '%s copies the video, with its chapters and its time code',
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
});

describe('transcode to ProRes', () => {
  it.each([
    ['proxy', 'apco', 'yuv422p10le'],
    ['hq', 'apch', 'yuv422p10le'],
    ['4444', 'ap4h', 'yuv444p10le'],
  ] as const)(
    '%s is tagged %s, has 10 bits, chapters, time code and all audio channels',
    async (profile, tag, pixelFormat) => {
      const source = await editedClip('mkv');
      const recipe = { name: 'transcode', codec: 'prores', profile } as const;
      const { path, probe } = await encodeOne(source, 'mov', { ...recipe, audioTracks: [1, 0] });
      const audio = probe.streams.filter(({ kind }) => kind === 'audio');
      expect(audio.map(({ isDefault }) => isDefault)).toEqual([true, false]);
      const [video] = await bareFfprobe([
        ...[
          '-select_streams',
          'v:0',
          '-show_entries',
          'stream=codec_tag_string,pix_fmt',
          '-of',
          'csv=p=0',
          path,
        ],
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
    },
  );

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
    const { probe } = await encodeOne(await specialClip('interlaced'), 'mov', {
      name: 'transcode',
      codec: 'prores',
    });
    expect(probe.streams[0]).toMatchObject({ framesPerSecond: 25 });
  });
});
