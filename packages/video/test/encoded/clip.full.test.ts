// @module-tag timing
// @module-tag copies
import { describe, expect, it } from 'vitest';
import { audioSeconds, frameTimes, meanBrightness, ssim } from '../builders/measure/measure-video.ts';
import { packetsOfStream } from '../builders/measure/packets.ts';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { clipWithSubtitles } from '../builders/media/subtitled-clips.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

/** The frame of `pause` that is on screen from 0.96 s to 4 s. */
async function pausedFrame(): Promise<{ path: string; filters: string }> {
  return { path: await unusualClip('pause'), filters: 'trim=start_frame=24:end_frame=25,setpts=PTS-STARTPTS' };
}

/** Video and audio of a clip of `pause` start together, and last as long as the clip. */
async function expectStreams(path: string, seconds: number): Promise<void> {
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  for (const { startSeconds } of streams) expect(startSeconds).toBeLessThan(0.03);
  expect(streams[0]?.durationSeconds).toBeCloseTo(seconds, 1);
  expect(Math.abs((await audioSeconds(path)) - seconds)).toBeLessThan(0.03);
}

/** A frame is shown 80 ms after its decoding time. */
const fragments = () =>
  generatedFile('fragments.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=5', '-f', 'lavfi', '-i', 'sine=duration=5'],
    ...['-c:v', 'libx264', '-g', '25', '-bf', '3', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  ]);

describe('clip', () => {
  it('cuts exactly between keyframes', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.52, end: 1.24 });
    expect(await frameTimes(output.path)).toHaveLength(18);
    const part = { path: source, filters: 'trim=start_frame=13:end_frame=31,setpts=PTS-STARTPTS' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
    expect(Math.abs((await audioSeconds(output.path)) - 0.72)).toBeLessThan(1 / 25);
  });

  it.each([
    [3, 0],
    [2.97, 0.03],
  ])('keeps the frames that a keyframe of a fragmented MP4 is decoded ahead of: from %s s', async (start, first) => {
    const { path } = await encodeOne(await fragments(), 'mp4', { name: 'clip', start, end: 4.5 });
    const times = await frameTimes(path);
    expect(times).toHaveLength(38);
    expect(times[0]).toBeCloseTo(first, 2);
  });

  it('cuts a variable frame rate by timestamps', async () => {
    const source = await clipWith({ rate: 'variable' });
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.5, end: 1.7 });
    const all = await frameTimes(source);
    // The frame on screen at the start is shown from then on.
    const kept = [0.5, ...all.filter((time) => time > 0.5 && time < 1.7)];
    const times = await frameTimes(output.path);
    expect(times).toHaveLength(kept.length);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo((kept[index] ?? Number.NaN) - 0.5, 2);
  });

  describe.each(['mp4', 'mov', 'mkv', 'webm'] as const)('in %s of a screen recording', (format) => {
    it('starts with the frame on screen', async () => {
      const recipe = { name: 'clip', start: 2, end: 4.4 } as const;
      const { path } = await encodeOne(await unusualClip('pause'), format, recipe);
      const times = await frameTimes(path);
      expect(times).toHaveLength(11);
      expect(times[0]).toBe(0);
      for (const [index, time] of times.slice(1).entries()) expect(time).toBeCloseTo(2 + index / 25, 2);
      expect(await ssim({ path, filters: 'trim=end_frame=1' }, await pausedFrame())).toBeGreaterThan(0.9);
      await expectStreams(path, 2.4);
    });

    it('shows the only frame until the end', async () => {
      const recipe = { name: 'clip', start: 1.4, end: 3.4 } as const;
      const { path } = await encodeOne(await unusualClip('pause'), format, recipe);
      expect(await frameTimes(path)).toEqual([0]);
      expect(await ssim({ path }, await pausedFrame())).toBeGreaterThan(0.9);
      await expectStreams(path, 2);
    });
  });

  it.each(['start', 'end'] as const)('shows the slide at the %s of a pause of twenty seconds', async (edge) => {
    const recipe = { name: 'clip', ...{ start: { start: 13, end: 17 }, end: { start: 33, end: 37 } }[edge] } as const;
    const { path } = await encodeOne(await unusualClip('slides'), 'mp4', recipe);
    expect(await frameTimes(path)).toEqual([0]);
    expect(Math.round((await meanBrightness(path)) / 255)).toBe({ start: 0, end: 1 }[edge]);
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(4, 1);
  });

  describe.each([1, 5])('of a slide show with a frame every %d s', (seconds) => {
    const slideShow = (container: 'mp4' | 'mkv') =>
      generatedFile(`slide-show-${seconds}.${container}`, [
        ...['-f', 'lavfi', '-i', `color=size=160x90:rate=1/${seconds}:duration=${10 * seconds}`],
        ...['-f', 'lavfi', '-i', `sine=duration=${10 * seconds}`, '-vf', "geq=lum='16+21*(N+1)':cb=128:cr=128"],
        ...['-c:v', 'libx264', '-c:a', 'flac', '-max_interleave_delta', '0'],
      ]);

    it.each([
      ['mp4', 'mp4', { start: 1.3, end: 1.8 }, [0]],
      ['mkv', 'mp4', { start: 1.5, end: 4 }, [0, 0.5, 1.5]],
      ['mp4', 'webm', { start: 0, end: 0.5 }, [0]],
      ['mp4', 'mkv', { start: 9.2, end: 10 }, [0]],
    ] as const)('%s to %s: shows each frame of %j at its time', async (from, format, range, times) => {
      const [start, end] = [range.start * seconds, range.end * seconds];
      const { path, probe } = await encodeOne(await slideShow(from), format, { name: 'clip', start, end });
      const shown = await frameTimes(path);
      expect(shown.map((time) => Math.round((100 * time) / seconds) / 100)).toEqual(times);
      expect(await meanBrightness(path)).toBeCloseTo((21 / 219) * 255 * (Math.floor(range.start) + 1), -1);
      expect(probe.streams[0]?.durationSeconds).toBeCloseTo(end - start, 1);
    });
  });

  describe('behind the end of the video, in longer audio', () => {
    const source = (...rate: string[]) =>
      generatedFile('long-audio.mp4', [
        ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2'],
        ...['-f', 'lavfi', '-i', 'sine=duration=4', ...rate, '-c:v', 'libx264', '-c:a', 'aac'],
      ]);
    const recipe = { name: 'clip', start: 2.5, end: 3.5 } as const;

    it('is rejected at a constant rate, where players show nothing', async () => {
      await expect(encodeOne(await source(), 'mkv', recipe)).rejects.toThrow('the video stream ends at 2.000 s');
      const { probe } = await encodeOne(await source(), 'mkv', { ...recipe, start: 1.5 });
      expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    });

    it('shows the last frame of a screen recording', async () => {
      const recording = await source('-vf', "select='lt(t,1)+gt(t,1.5)'", '-fps_mode', 'vfr');
      for (const format of ['mp4', 'mkv'] as const) {
        const { path } = await encodeOne(recording, format, recipe);
        expect(await frameTimes(path)).toHaveLength(1);
        expect(Math.abs((await audioSeconds(path)) - 1)).toBeLessThan(0.03);
      }
    });
  });

  it.each(['before', 'behind'] as const)('%s the audio has none', async (side) => {
    const source = await generatedFile('short-audio.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=6', '-itsoffset', '2'],
      ...['-f', 'lavfi', '-i', 'sine=duration=2', '-c:v', 'libx264', '-g', '25', '-c:a', 'aac'],
    ]);
    const [start, end] = side === 'before' ? [0, 1] : [5, 6];
    for (const format of ['mp4', 'mkv'] as const) {
      for (const accuracy of ['frame', 'keyframe'] as const) {
        const { path, probe } = await encodeOne(source, format, { name: 'clip', start, end, accuracy });
        expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
        const frames = (await frameTimes(path)).length;
        // A copy ends within a few frames of the end.
        expect(Math.abs(frames - 25)).toBeLessThan(accuracy === 'frame' ? 1 : 4);
      }
    }
  });

  it('cuts a broadcast exactly, which has no keyframe index', async () => {
    const source = await specialClip('broadcast');
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.52, end: 1.24 });
    expect(await frameTimes(output.path)).toHaveLength(18);
    const part = { path: source, filters: 'trim=start_frame=13:end_frame=31,setpts=PTS-STARTPTS' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
  });

  it('runs to the end by default', async () => {
    const output = await encodeOne(await clipWith({ audio: 'none' }), 'webm', { name: 'clip', start: 1 });
    expect(await frameTimes(output.path)).toHaveLength(25);
  });

  it('cuts a rotated clip upright', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'clip', start: 1 });
    const part = { path: await clipWith(), filters: 'trim=start_frame=25,setpts=PTS-STARTPTS,transpose=cclock' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
  });
});

describe('clip at a keyframe', () => {
  it.each([
    ['mov', 'h264', 'mp4'],
    ['mkv', 'h264', 'mp4'],
    ['mp4', 'h264', 'mkv'],
    ['mp4', 'openGop', 'mp4'],
  ] as const)('copies %s with %s to %s from the keyframe before the start', async (from, kind, to) => {
    const source = await editedClip(from, kind);
    const recipe = { name: 'clip', accuracy: 'keyframe', start: 3.4, end: 6 } as const;
    const { path, measurements, probe } = await encodeOne(source, to, recipe);
    const { startSeconds = Number.NaN } = measurements ?? {};
    expect(startSeconds).toBeCloseTo(3, 1);
    const sources = await packetsOfStream(source, 'v:0');
    const copied = await packetsOfStream(path, 'v:0');
    const first = sources.findIndex(({ hash }) => hash === copied[0]?.hash);
    expect(sources[first]?.seconds).toBeCloseTo(startSeconds, 1);
    const times = new Map(sources.map(({ hash, seconds }) => [hash, seconds]));
    for (const { hash, seconds } of copied)
      expect(times.get(hash)).toBeCloseTo(startSeconds + seconds - (copied[0]?.seconds ?? 0), 1);
    expect(copied.length).toBeGreaterThan(73);
    expect(copied.length).toBeLessThan(79);
    expect(probe.durationSeconds).toBeCloseTo(6 - startSeconds, 0);
    // What a player decodes is what the source shows there, also at the open start.
    const shownAt = sources[first]?.seconds ?? Number.NaN;
    const frame = sources.filter(({ seconds }) => seconds < shownAt).length;
    const part = { path: source, filters: `trim=start_frame=${frame}:end_frame=${frame + 70},setpts=PTS-STARTPTS` };
    expect(await ssim({ path, filters: 'trim=end_frame=70,setpts=PTS-STARTPTS' }, part)).toBeGreaterThan(0.999);
  });

  it.each([
    [3, 2.08],
    [3.09, 3.08],
  ])('starts at or before %s s in a fragmented MP4, which is decoded ahead', async (start, expected) => {
    const recipe = { name: 'clip', accuracy: 'keyframe', start, end: 4.5 } as const;
    const { path, measurements } = await encodeOne(await fragments(), 'mp4', recipe);
    expect(measurements?.startSeconds).toBeCloseTo(expected, 2);
    const [first] = await packetsOfStream(path, 'v:0');
    const sources = await packetsOfStream(await fragments(), 'v:0');
    expect(sources.find(({ hash }) => hash === first?.hash)?.seconds).toBeCloseTo(expected, 2);
  });

  it('keeps the audio at its time', async () => {
    const source = await editedClip('mov');
    const recipe = { name: 'clip', accuracy: 'keyframe', start: 3.4, end: 6 } as const;
    const { path } = await encodeOne(source, 'mp4', recipe);
    const [video, audio] = [await packetsOfStream(path, 'v:0'), await packetsOfStream(path, 'a:0')];
    const sources = await packetsOfStream(source, 'a:0');
    const found = sources.find(({ hash }) => hash === audio[0]?.hash);
    const offset = (audio[0]?.seconds ?? Number.NaN) - (video[0]?.seconds ?? Number.NaN);
    expect((found?.seconds ?? Number.NaN) - 3).toBeCloseTo(offset, 1);
    expect(Math.abs(offset)).toBeLessThan(0.05);
  });

  it.each([
    ['mp4', 'mkv', 'mov_text'],
    ['mkv', 'mp4', 'srt'],
  ] as const)('ends the subtitles of %s with the clip in %s', async (from, to, codec) => {
    const source = await clipWithSubtitles(from, codec, [{ text: '1\n00:00:00,500 --> 00:00:20,000\nStill here\n' }]);
    const { path } = await encodeOne(source, to, { name: 'clip', accuracy: 'keyframe', end: 1.5 });
    const cues = await bareFfprobe([
      ...['-select_streams', 's', '-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0', path],
    ]);
    expect(cues).toContain('0.500000,1.000000');
  });

  it('needs an index of keyframes', async () => {
    const recipe = { name: 'clip', accuracy: 'keyframe', start: 1 } as const;
    await expect(encodeOne(await specialClip('broadcast'), 'mp4', recipe)).rejects.toThrow('Remux it first');
  });

  it.each([0, 1])('says what works for a container that remux cannot read, from %i s', async (start) => {
    const source = await generatedFile('index.avi', ['-i', await clipWith(), '-c', 'copy']);
    const recipe = { name: 'clip', start } as const;
    await expect(encodeOne(source, 'mp4', { ...recipe, accuracy: 'keyframe' })).rejects.toThrow(
      /the input is avi. Use accuracy frame$/,
    );
    expect((await encodeOne(source, 'mp4', recipe)).probe.durationSeconds).toBeCloseTo(2 - start, 1);
  });
});
