// @module-tag timing
import { bareFfprobe, encode, encodeOne, generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

/** Level 3, times ten: enough for 320x180 pixels at 60 frames per second, and every decoder supports it. */
const enough = 30;

let recording: string;

beforeAll(async () => {
  // Some frames are missing, and all timestamps have jitter: ffmpeg estimates 2,000 frames per second.
  const times = "select='gt(random(0),0.4)',settb=1/1000,setpts='PTS+random(1)*7'";
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=60:duration=2', '-vf', times];
  const args = [...source, '-fps_mode', 'vfr', '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
  recording = await generatedFile('recording.webm', args);
});

async function levelOf(path: string): Promise<number> {
  const [level] = await bareFfprobe([...'-select_streams v -show_entries stream=level -of csv=p=0'.split(' '), path]);
  return Number(level);
}

it.each([
  ['H.264 that every decoder takes', { name: 'compress' }, enough],
  ['H.265 that every decoder takes', { name: 'transcode', codec: 'h265' }, 3 * enough],
  ['such a clip, behind a filter that has no frame rate', { name: 'clip', start: 0.5 }, enough],
] as const)('a recording of a browser becomes %s', async (_, recipe, level) => {
  const { path } = await encodeOne(recording, 'mp4', recipe);
  expect(await levelOf(path)).toBeLessThanOrEqual(level);
});

it('a recording of a browser becomes AV1, whose encoder takes at most 240 frames per second', async () => {
  const { probe } = await encodeOne(recording, 'mp4', { name: 'transcode', codec: 'av1' });
  expect(probe.streams).toMatchObject([{ codec: 'av1' }]);
});

it('a video of 300 frames per second becomes AV1 with all its frames', async () => {
  const source = await generatedFile('300-fps.mp4', [
    ...'-f lavfi -i testsrc2=size=160x90:rate=300:duration=1 -c:v libx264 -preset ultrafast'.split(' '),
  ]);
  const { probe } = await encodeOne(source, 'mp4', { name: 'transcode', codec: 'av1', preset: 'ultrafast' });
  expect(probe.streams).toMatchObject([{ codec: 'av1', framesPerSecond: 300 }]);
});

it('a slideshow of one image in five seconds becomes AV1, whose encoder divides by the rate', async () => {
  const pattern = 'testsrc2=size=160x90:rate=1/5:duration=20';
  const args = ['-f', 'lavfi', '-i', pattern, '-c:v', 'libx264', '-preset', 'ultrafast'];
  const source = await generatedFile('slideshow.mp4', args);
  const stream = await encodeAll(source, 'm3u8', { name: 'hls', codecs: ['h264', 'av1'] });
  expect(await stream.text('hls')).toMatch(/CODECS="av01[^"]*",RESOLUTION=160x90,FRAME-RATE=0.200,/);
});

it('a recording of a browser has such a level in each rendition', async () => {
  const files = await encode(recording, 'mp4', { name: 'renditions', heights: [180, 144] });
  for (const { path } of files) expect(await levelOf(path)).toBeLessThanOrEqual(enough);
});

/** Macroblocks per second by level (ITU-T H.264, Table A-1). */
const maxMacroblocks: Record<number, number> = {
  10: 1485,
  11: 3000,
  12: 6000,
  13: 11_880,
  20: 11_880,
  21: 19_800,
  22: 20_250,
  30: 40_500,
  31: 108_000,
  32: 216_000,
};

it('a stream of a screen recording has the level of its fastest stretch in each rendition', async () => {
  // A second of 60 frames per second, then 12: 24 on average.
  const times = "select='lt(t,1)+not(mod(n,5))'";
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=720x480:rate=60:duration=4', '-vf', times];
  const args = [...source, '-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'ultrafast'];
  const bursts = await generatedFile('bursts.mp4', args);
  const stream = await encodeAll(bursts, 'm3u8', { name: 'hls', preset: 'ultrafast' });
  const pattern = /RESOLUTION=(\d+)x(\d+),FRAME-RATE=([\d.]+)/g;
  const variants = [...(await stream.text('hls')).matchAll(pattern)].map(([, ...values]) => values.map(Number));
  expect(variants.map(([, height]) => height).toSorted()).toEqual([240, 360, 480]);
  for (const [width = 0, height = 0, fps = 0] of variants) {
    const level = await levelOf(stream.paths.get(`${height}p`) ?? '');
    expect(fps).toBe(60);
    expect(Math.ceil(width / 16) * Math.ceil(height / 16) * fps).toBeLessThanOrEqual(maxMacroblocks[level] ?? 0);
  }
});

it('the manifests of a recording of a browser declare a frame rate that players accept', async () => {
  const stream = await encodeAll(recording, 'm3u8', { name: 'hls' });
  expect(await levelOf(stream.paths.get('180p') ?? '')).toBeLessThanOrEqual(enough);
  const [, frames, seconds] = /frameRate="(\d+)\/(\d+)"/.exec(await stream.text('dash')) ?? [];
  expect(Number(frames) / Number(seconds)).toBeLessThanOrEqual(60);
});
