// @module-tag streams
// @module-tag sources
import {
  clipWith,
  frameTimes,
  generatedFile,
  keyframeTimes,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  recording,
  withoutStreamEnds,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

it('a source without audio becomes a stream of only video', async () => {
  const silent = await encodeAll(await clipWith({ audio: 'none' }), 'm3u8', { name: 'hls' });
  expect([...silent.paths.keys()]).toEqual(['hls', 'dash', '180p', '180p-playlist', '180p-keyframes']);
  const { sizes, defaultAudio } = readMasterPlaylist(await silent.text('hls'));
  expect({ codecs: sizes.map(({ codecs }) => codecs.length), defaultAudio }).toEqual({
    codecs: [1],
    defaultAudio: undefined,
  });
  expect(await silent.text('hls')).not.toContain('AUDIO');
  expect(readDash(await silent.text('dash'))).toMatchObject({ videos: [{}], audios: [] });
});

it.each([
  ['upright', { shape: 'portrait' }, 180, 320],
  ['of odd size and of HDR', { shape: 'odd', colour: 'hdr' }, 322, 182],
  ['of a variable rate', { rate: 'variable' }, 320, 180],
] as const)('a source that is %s becomes a stream too', async (_, features, width, height) => {
  const stream = await encodeAll(await clipWith(features), 'm3u8', { name: 'hls' });
  const { sizes } = readMasterPlaylist(await stream.text('hls'));
  expect(sizes).toMatchObject([{ width, height }]);
  const { segments } = readMediaPlaylist(await stream.text('audio-playlist'));
  expect(segments).toHaveLength(1);
});

it.each([
  ['whose rate does not divide a second', 'rate=24000/1001:duration=46', 'null', [6.006], 23],
  ['in which nothing moves for long', 'rate=25:duration=24', "select='lt(t,5)+gt(t,15)'", [15.04, 6], 8],
])(
  'the segments of a stream of a source %s are as long as requested, or as its keyframes allow',
  async (_, pattern, filter, lengths, keyframes) => {
    const args = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:${pattern}`, '-vf', filter, '-fps_mode', 'vfr'];
    const recipe = [...args, '-c:v', 'libx264', '-preset', 'ultrafast'];
    const clip = await generatedFile('segments.mp4', recipe);
    const stream = await encodeAll(clip, 'm3u8', { name: 'hls', preset: 'ultrafast' });
    const { segments } = readMediaPlaylist(await stream.text('36p-playlist'));
    const whole = segments.slice(0, -1).map(({ seconds }) => seconds);
    expect([...new Set(whole)].toSorted()).toEqual([...new Set(lengths)].toSorted());
    expect(await keyframeTimes(stream.paths.get('36p') ?? '')).toHaveLength(keyframes);
  },
);

it.each([
  ['in which nothing moves for long', 24, "select='lt(t,5)+gt(t,15)'", 15],
  ['that is shorter than a segment', 3.4, 'null', 4],
])('the playlists of video and audio of a source %s have one target', async (_, duration, filter, targetDuration) => {
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=25:duration=${duration}`];
  const audio = ['-f', 'lavfi', '-i', `sine=duration=${duration + 0.2}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
  const recipe = [...video, ...audio, '-vf', filter, '-fps_mode', 'vfr', ...codecs];
  const stream = await encodeAll(await generatedFile('target.mp4', recipe), 'm3u8', { name: 'hls' });
  const playlists = ['36p-playlist', 'audio-playlist'].map((name) => stream.text(name));
  const found = (await Promise.all(playlists)).map((text) => /TARGETDURATION:(\d+)/.exec(text)?.[1]);
  expect(found.map(Number)).toEqual([targetDuration, targetDuration]);
});

describe('a stream with a burst of details and then a pause of a minute', () => {
  it('states the bit rates and the buffer of the same stream without the pause', async () => {
    const [whole, paused] = [await statedRates('lt(t,30)'), await statedRates('lt(t,24)+gt(t,84)')];
    expect(whole.targetSeconds).toBe(6);
    expect(paused.targetSeconds).toBeGreaterThan(60);
    expect(paused.bufferSeconds).toBe(whole.bufferSeconds);
    for (const [index, bitsPerSecond] of whole.bitsPerSecond.entries()) {
      const ratio = (paused.bitsPerSecond[index] ?? 0) / bitsPerSecond;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
    }
  });

  /** What the manifests state of a clip that keeps these frames of 90 s, with noise from 12 to 18 s. */
  async function statedRates(frames: string) {
    const clip = await generatedFile('pause.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=128x72:rate=25:duration=90', '-fps_mode', 'vfr'],
      ...['-vf', `select='${frames}',noise=alls=60:allf=t:all_seed=1:enable='between(t,12,18)'`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast'],
    ]);
    const stream = await encodeAll(clip, 'm3u8', { name: 'hls', preset: 'ultrafast' });
    const { sizes, keyframes } = readMasterPlaylist(await stream.text('hls'));
    const manifest = await stream.text('dash');
    const tags = [...sizes, ...keyframes, ...readDash(manifest).videos];
    return {
      bitsPerSecond: tags.map(({ bitsPerSecond }) => bitsPerSecond),
      targetSeconds: Number(/TARGETDURATION:(\d+)/.exec(await stream.text('72p-playlist'))?.[1]),
      bufferSeconds: Number(/minBufferTime="PT([\d.]+)S"/.exec(manifest)?.[1]),
    };
  }
});

it('a video stream that starts a second after its audio shows its first frame from the start, in sync with the audio', async () => {
  const clip = await clipWith();
  const recipe = ['-itsoffset', '1', '-i', clip, '-i', clip, '-map', '0:v', '-map', '1:a', '-c', 'copy'];
  const late = await generatedFile('late.mp4', recipe);
  const stream = await encodeAll(late, 'm3u8', { name: 'hls' });
  const times = await frameTimes(stream.paths.get('180p') ?? '');
  expect([times[0], times.at(-1), times.length]).toEqual([0, 2.96, 75]);
});

it.each([
  ['a video of 2 s', 2],
  ['a single frame', 0.04],
])('a video that ends long before its audio shows its last frame until the audio ends: %s', async (_, seconds) => {
  const [video, audio] = [`testsrc2=size=128x72:rate=25:duration=${seconds}`, 'sine=duration=20'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
  const recipe = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', audio, ...codecs];
  const stream = await encodeAll(await generatedFile('short.mp4', recipe), 'm3u8', {
    name: 'hls',
    codecs: ['h264', 'av1'],
    preset: 'ultrafast',
  });
  for (const name of ['72p', '72p-av1']) {
    const { segments } = readMediaPlaylist(await stream.text(`${name}-playlist`));
    expect(segments).toHaveLength(4);
    for (const { seconds: length = 0 } of segments) expect(length).toBeLessThan(6.5);
    expect(segments.reduce((sum, { seconds: length = 0 }) => sum + length, 0)).toBeCloseTo(20, 0);
    const keyframes = await keyframeTimes(stream.paths.get(name) ?? '');
    const distances = keyframes.slice(1).map((time, index) => time - (keyframes[index] ?? 0));
    expect(Math.max(...distances)).toBeLessThan(2.2);
  }
});

it('a video whose container does not state that it ends before the audio shows its last frame too', async () => {
  const source = await withoutStreamEnds(await recording('stated.mkv', { video: 2, audio: 8 }));
  const stream = await encodeAll(source, 'm3u8', { name: 'hls', preset: 'ultrafast' });
  const times = await frameTimes(stream.paths.get('36p') ?? '');
  expect(times.at(-1)).toBeGreaterThan(7.8);
  expect(times.filter((time) => time < 2 + 1 / 25)).toHaveLength(51);
});

it.each([
  ['in MP4', 'fast.mp4', 1 / 15_360],
  ['in Matroska, which times frames in milliseconds', 'fast.mkv', 0.001],
])(
  'a source of 30 frames per second with a stretch of 120 %s has at most 60, and the times of its other frames',
  async (_, name, tickSeconds) => {
    const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=120:duration=12'];
    const select = ['-vf', "select='if(between(t,3,5),1,not(mod(n,4)))'", '-fps_mode', 'vfr'];
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast'];
    const mp4 = await generatedFile('fast.mp4', [...pattern, ...select, ...encoder]);
    const clip = await generatedFile(name, ['-i', mp4, '-c', 'copy']);
    const stream = await encodeAll(clip, 'm3u8', { name: 'hls', preset: 'ultrafast' });
    const wanted = await frameTimes(clip);
    const found = await frameTimes(stream.paths.get('36p') ?? '');
    const intervals = found.slice(1).map((time, frame) => time - (found[frame] ?? 0));
    expect(Math.min(...intervals)).toBeGreaterThanOrEqual(1 / 60 - tickSeconds - 1e-6);
    const isSlow = (time: number) => time < 3 || time > 5;
    expect(found.filter(isSlow)).toEqual(wanted.filter(isSlow));
    expect(found.filter((time) => !isSlow(time))).toHaveLength(121);
    const { sizes } = readMasterPlaylist(await stream.text('hls'));
    expect(sizes.map(({ framesPerSecond }) => framesPerSecond)).toEqual([60]);
  },
);
