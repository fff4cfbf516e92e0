// @module-tag sources
import type { Format } from '@media-jobs/video/media';
import {
  anEncoder,
  type encode,
  encodeOne,
  frameTimes,
  generatedFile,
  loudestTones,
  ssim,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const [radio, television] = [440, 880];

const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=${hertz}:duration=2`];
const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'mp2'];

/** A broadcast whose first program is a radio station, and the second one television. */
const broadcast = () =>
  generatedFile('radio-and-television.ts', [
    ...[...tone(radio), ...tone(television), '-f', 'lavfi', '-i', 'testsrc2=size=160x90:duration=2'],
    ...['-map', '0', '-map', '2', '-map', '1', ...codecs],
    ...['-program', 'program_num=1:st=0', '-program', 'program_num=2:st=1:st=2'],
  ]);

const tones = (path: string) => loudestTones(path, [radio, television], { channels: 1 });

it('a video of a broadcast has the audio of its own program', async () => {
  const { path, probe } = await encodeOne(await broadcast(), 'mp4', { name: 'compress' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  expect(await tones(path)).toEqual([television]);
});

it('so has a copy', async () => {
  const { path, probe } = await encodeOne(await broadcast(), 'mkv', { name: 'remux' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  expect(await tones(path)).toEqual([television]);
});

it('so has a stream, which keeps all tracks of the program', async () => {
  const stream = await encodeAll(await broadcast(), 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect(stream.paths.get('audio-2')).toBeUndefined();
  expect(await tones(stream.paths.get('audio') ?? '')).toEqual([television]);
});

it.each<[Format, Parameters<typeof encode>[2]]>([
  ['mp4', { name: 'transcode', preset: 'ultrafast', audioTracks: [0] }],
  ['mkv', { name: 'remux', audioTracks: [0] }],
  ['mp3', { name: 'extract-audio', track: 0 }],
])('the tracks of all programs are counted: %s, %o', async (format, recipe) => {
  const { path } = await encodeOne(await broadcast(), format, recipe);
  expect(await tones(path)).toEqual([radio]);
});

it('a recording of radio stations becomes the first of them', async () => {
  const stations = await generatedFile('radio.ts', [
    ...[...tone(radio), ...tone(television), '-map', '0', '-map', '1', ...codecs],
    ...['-program', 'program_num=1:st=0', '-program', 'program_num=2:st=1'],
  ]);
  const { path } = await encodeOne(stations, 'mp3', { name: 'extract-audio' });
  expect(await tones(path)).toEqual([radio]);
});

describe('programs whose clocks differ by 5000 s', () => {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=40'];
  const audio = ['-f', 'lavfi', '-i', 'sine=880:duration=40'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-c:a', 'mp2'];
  const television = () => generatedFile('television.ts', [...pattern, ...audio, ...video]);
  const source = () =>
    generatedFile('clocks.ts', [
      ...[...tone(radio), '-itsoffset', '5000', ...pattern, '-itsoffset', '5000', ...audio, ...video],
      ...['-map', '0', '-map', '1', '-map', '2', '-max_interleave_delta', '1'],
      ...['-program', 'program_num=1:st=0', '-program', 'program_num=2:st=1:st=2'],
    ]);

  it('count from the start of the video', async () => {
    const { path, probe } = await encodeOne(await source(), 'mp4', { name: 'compress' });
    expect(probe.durationSeconds).toBeCloseTo(40, 1);
    expect(await ssim({ path }, { path: await television() })).toBeGreaterThan(0.95);
  });

  it('so do times of a request', async () => {
    const { path } = await encodeOne(await source(), 'mp4', { name: 'clip', start: 35, end: 37 });
    const part = { path: await television(), filters: 'trim=start_frame=175:end_frame=185,setpts=PTS-STARTPTS' };
    expect(await frameTimes(path)).toHaveLength(10);
    expect(await ssim({ path }, part)).toBeGreaterThan(0.95);
    const image = await encodeOne(await source(), 'png', { name: 'thumbnail', at: 35 });
    expect(
      await ssim({ path: image.path }, { ...part, filters: 'trim=start_frame=175:end_frame=176' }),
    ).toBeGreaterThan(0.95);
  });

  it('so do chunks', async () => {
    await expectSinglePassFile(await encodeBothWays(await source(), 'mp4', { name: 'compress' }));
  });
});

it('a recording of one program has no list of programs', async () => {
  const single = await generatedFile('television.ts', [
    ...[...tone(television), '-f', 'lavfi', '-i', 'testsrc2=size=160x90:duration=2', ...codecs],
  ]);
  const { streams } = await anEncoder().probe(single);
  expect(streams.map(({ programs }) => programs)).toEqual([undefined, undefined]);
});
