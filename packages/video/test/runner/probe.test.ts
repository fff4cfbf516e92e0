import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { requireVideo } from '../../src/media/probe/streams.ts';
import { bareFfprobe, ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { captionedClip } from '../builders/media/captioned-clip.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { fieldPairMatroska } from '../builders/media/field-pair-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { writeTestFile } from '../builders/media/hostile-files.ts';
import { lateTrack } from '../builders/media/late-track.ts';
import { recording } from '../builders/media/recording.ts';
import { clipWithSubtitles, srtOf } from '../builders/media/subtitled-clips.ts';
import { withoutStreamEnds } from '../builders/media/without-stream-ends.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

describe('probing', () => {
  it('measures every stream of a file', async () => {
    const probe = await anEncoder().probe(await clipWith({ shape: 'portrait', audio: 'several', subtitles: true }));
    expect(probe.durationSeconds).toBeCloseTo(2, 1);
    expect(probe.streams).toMatchObject([
      {
        kind: 'video',
        codec: 'h264',
        width: 180,
        height: 320,
        rotation: 270,
        framesPerSecond: 25,
        bitDepth: 8,
      },
      { kind: 'audio', codec: 'aac', language: 'deu', isDefault: false, channels: 1, sampleRateHz: 48_000 },
      { kind: 'audio', codec: 'aac', language: 'fra', isDefault: true },
      { kind: 'subtitle', codec: 'mov_text' },
    ]);
  });

  it.each(['opus', 'ogg'])('measures a recording of radio, which begins later than 0: %s', async (container) => {
    const tone = ['-itsoffset', '3', '-f', 'lavfi', '-i', 'sine=duration=4:sample_rate=48000'];
    const codec = container === 'opus' ? 'libopus' : 'libvorbis';
    const path = await generatedFile(`radio.${container}`, [...tone, '-c:a', codec]);
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(4, 1);
  });

  it.each(['mkv', 'webm', 'ts', 'mp4'] as const)(
    'finds the start and the format of a track that begins late in %s',
    async (container) => {
      const { streams } = await anEncoder().probe(await lateTrack(container));
      const audio = streams.find(({ kind }) => kind === 'audio');
      expect(audio).toMatchObject({ channels: 1, sampleRateHz: 48_000 });
      expect(Math.abs((audio?.startSeconds ?? 0) - 110)).toBeLessThan(0.1);
    },
  );

  it('detects HDR by transfer characteristics and bit depth', async () => {
    const probe = await anEncoder().probe(await clipWith({ colour: 'hdr' }));
    expect(probe.streams[0]).toMatchObject({ codec: 'hevc', bitDepth: 10, hdrTransfer: 'pq' });
  });

  it('reads the languages of subtitles, and which are forced', async () => {
    const path = await clipWithSubtitles('mkv', 'copy', [
      { text: srtOf('Hallo'), language: 'ger', disposition: 'default+forced' },
      { text: srtOf('你好'), language: 'chi' },
    ]);
    expect((await anEncoder().probe(path)).streams).toMatchObject([
      { kind: 'video' },
      { kind: 'subtitle', codec: 'subrip', language: 'ger', isDefault: true, isForced: true },
      { kind: 'subtitle', codec: 'subrip', language: 'chi', isDefault: false, isForced: false },
    ]);
  });

  it.each([
    ['SRT without index numbers', 'srt', (text: string) => text.slice(2).replace('2\n', '')],
    ['SRT in UTF-16 without a byte order mark', 'srt', (text: string) => Buffer.from(text, 'utf16le')],
    ['WebVTT in UTF-16', 'webvtt', (text: string) => Buffer.from(`\ufeffWEBVTT\n\n${text}`, 'utf16le')],
  ])('reads %s as a subtitle file', async (_, container, contentOf) => {
    const directory = await aTemporaryFolder();
    const dot = container === 'srt' ? ',' : '.';
    const text = `1\n00:00:01${dot}000 --> 00:00:02${dot}000\nGrüße\n\n2\n00:00:03${dot}000 --> 00:00:04${dot}000\nAdieu\n`;
    const path = await writeTestFile(directory, 'input', contentOf(text));
    const probe = await anEncoder().probe(path, { role: 'subtitles' });
    expect(probe).toMatchObject({ container, durationSeconds: 4, streams: [{ kind: 'subtitle' }] });
    const converted = join(directory, 'converted.srt');
    const command = {
      inputs: [{ path, isSubtitles: true, options: ['-f', container] }],
      outputArguments: ['-c:s', 'srt', converted],
    };
    const signal = new AbortController().signal;
    await anEncoder().run(command, { directory, signal, timeLimitSeconds: 20, stallSeconds: 20 });
    expect(await anEncoder().readText(converted)).toBe(
      '1\n00:00:01,000 --> 00:00:02,000\nGrüße\n\n2\n00:00:03,000 --> 00:00:04,000\nAdieu\n\n',
    );
  });

  it('reads subtitles as an output but not as an input', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'output.srt', srtOf('one', 'two'));
    expect(await anEncoder().probe(path, { role: 'output' })).toMatchObject({
      container: 'srt',
      durationSeconds: 1.9,
      streams: [{ kind: 'subtitle', codec: 'subrip' }],
    });
    await expect(anEncoder().probe(path)).rejects.toMatchObject({ code: 'INPUT_FORBIDDEN' });
  });

  it('distinguishes a cover image from a video stream', async () => {
    const probe = await anEncoder().probe(await specialClip('coverArt'));
    expect(probe.streams).toMatchObject([{ kind: 'audio' }, { kind: 'video', isAttachedPicture: true }]);
  });

  it('measures the duration of a recording without one by reading it', async () => {
    const path = await specialClip('recording');
    expect(await stated(path)).toBeNaN();
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(2, 1);
  });

  it.each([
    ['audio', 1, 3],
    ['video', 3, 1],
  ])('measures a recording whose %s ends last', async (_, videoSeconds, audioSeconds) => {
    const video = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=25:duration=${videoSeconds}`];
    const audio = ['-f', 'lavfi', '-i', `sine=duration=${audioSeconds}`];
    const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-live', '1'];
    const path = await generatedFile('unequal.webm', [...video, ...audio, ...codecs]);
    expect(await stated(path)).toBeNaN();
    const probe = await anEncoder().probe(path);
    expect(probe.durationSeconds).toBeCloseTo(3, 1);
    expect(requireVideo(probe).durationSeconds).toBeCloseTo(videoSeconds, 1);
  });

  it('measures an MP3 that has a cover image and states no duration', async () => {
    const cover = await generatedFile('cover.png', '-f lavfi -i testsrc2=size=64x36 -frames:v 1'.split(' '));
    const song = [...'-f lavfi -i sine=duration=3 -i'.split(' '), cover, ...'-map 0 -map 1 -c:v copy'.split(' ')];
    const args = [...song, ...'-c:a libmp3lame -q:a 4 -write_xing 0 -disposition:v attached_pic'.split(' ')];
    const probe = await anEncoder().probe(await generatedFile('song.mp3', args));
    expect(probe.durationSeconds).toBeCloseTo(3, 0);
  });

  it('measures the duration that ffprobe estimates wrongly by reading the file', async () => {
    const path = await specialClip('savedStream');
    expect(Math.abs((await stated(path)) - 20)).toBeGreaterThan(2);
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(20, 0);
  });

  it('gives a still image no duration', async () => {
    const probe = await anEncoder().probe(await specialClip('stillImage'));
    expect(probe).toMatchObject({ durationSeconds: undefined });
    expect(probe.streams).toMatchObject([{ kind: 'video', codec: 'png', width: 320, height: 180 }]);
  });

  it('finds interlaced frames where the container does not state them', async () => {
    const dv = ['-f', 'lavfi', '-i', 'testsrc2=size=720x576:rate=25:duration=0.4', '-c:v', 'dvvideo'];
    const path = await generatedFile('tape.avi', [...dv, '-pix_fmt', 'yuv420p', '-flags', '+ildct+ilme']);
    expect((await anEncoder().probe(path)).streams).toMatchObject([{ codec: 'dvvideo', isInterlaced: true }]);
  });

  it.each(['mpeg4', 'mpeg2video'])('takes progressive frames of %s for progressive', async (codec) => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=0.4', '-c:v', codec];
    const path = await generatedFile('progressive.avi', source);
    expect((await anEncoder().probe(path)).streams).toMatchObject([{ isInterlaced: false }]);
  });

  it.each([
    ['states the rate of its fields', { defaultDurationMs: 20 }, true],
    ['has a block for each field', { defaultDurationMs: 20, isSplit: true }, true],
    ['states the rate of its frames', { defaultDurationMs: 40 }, undefined],
  ])('finds the rate of pairs of fields in Matroska that %s', async (_, clip, statesFieldRate) => {
    const video = requireVideo(await anEncoder().probe(await fieldPairMatroska(clip)));
    const rate = { framesPerSecond: 25, baseFramesPerSecond: 25 };
    expect(video).toMatchObject({ codec: 'h264', isInterlaced: true, ...rate });
    expect(video.statesFieldRate).toBe(statesFieldRate);
  });

  it('finds closed captions on request', async () => {
    const path = await captionedClip(1);
    expect(requireVideo(await anEncoder().probe(path, { readsCaptions: true })).hasCaptions).toBe(true);
    expect(
      requireVideo(await anEncoder().probe(await clipWith(), { readsCaptions: true })).hasCaptions,
    ).toBeUndefined();
  });

  it('reads the service name of an MPEG-TS safely', async () => {
    expect((await anEncoder().probe(await specialClip('interlaced'))).streams).toMatchObject([
      { kind: 'video', isInterlaced: true },
      { kind: 'audio' },
    ]);
  });

  it('reports an unreadable output as a TRANSCODE_ERROR', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'output.mp4', 'hello');
    await expect(anEncoder().probe(path, { role: 'output' })).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
    });
    await expect(anEncoder().probe(path)).rejects.toMatchObject({ code: 'INPUT_NOT_MEDIA' });
  });

  it('reports a missing output file, which ffmpeg does not', async () => {
    const path = join(await aTemporaryFolder(), 'output.png');
    await expect(anEncoder().probe(path, { role: 'output' })).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      retryable: false,
      message: expect.stringContaining('ffmpeg decoded nothing'),
    });
  });

  it('takes the duration of the file for that of its streams if these cannot be measured', async () => {
    const source = await withoutStreamEnds(await recording('stated.mkv', { video: 2, audio: 8 }));
    const ffprobePath = join(await aTemporaryFolder(), 'ffprobe');
    const script = `#!/bin/sh\ncase "$*" in *packet=stream_index*) exit 1;; esac\nexec '${ffmpegPrograms.ffprobePath}' "$@"\n`;
    await writeFile(ffprobePath, script, { mode: 0o755 });
    const probe = await anEncoder({ ffprobePath }).probe(source);
    expect(probe.durationSeconds).toBeCloseTo(8, 0);
    expect(requireVideo(probe).durationSeconds).toBeUndefined();
  });

  it('stops when its signal aborts', async () => {
    const probe = anEncoder().probe(await clipWith(), { signal: AbortSignal.abort(new Error('cancelled')) });
    await expect(probe).rejects.toThrow('cancelled');
  });
});

async function stated(path: string): Promise<number> {
  return Number((await bareFfprobe(['-show_entries', 'format=duration', '-of', 'csv=p=0', path]))[0]);
}
