// @module-tag nightly
// @module-tag streams
import { generatedFile, readDash, readMasterPlaylist, readMediaPlaylist, ssim } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

let files: EncodedFiles;

beforeAll(async () => {
  const source = await generatedFile('five-seconds.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=256x144:rate=24000/1001:duration=5'],
    ...['-f', 'lavfi', '-i', 'sine=duration=5', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  ]);
  files = await encodeAll(source, 'm3u8', {
    name: 'hls',
    codecs: ['av1', 'h264', 'h265'],
    maxHeight: 144,
    preset: 'superfast',
  });
});

it('a stream in three codecs has all sizes in each, and one audio for all', async () => {
  const names = ['144p', '144p-h265', '144p-av1'];
  const outputs = names.flatMap((name) => [name, `${name}-playlist`, `${name}-keyframes`]);
  expect([...files.paths.keys()]).toEqual(['hls', 'dash', ...outputs, 'audio', 'audio-playlist']);
  const { sizes, defaultAudio, keyframes } = readMasterPlaylist(await files.text('hls'));
  expect(sizes[0]).toMatchObject({ playlist: 'media_0.m3u8' });
  expect(sizes.map(({ codecs }) => codecs[0]?.split('.')[0]).toSorted()).toEqual(['av01', 'avc1', 'hvc1']);
  expect(sizes.every(({ codecs }) => codecs[1] === 'mp4a.40.2')).toBe(true);
  expect([keyframes.length, defaultAudio]).toEqual([3, 'media_3.m3u8']);
  const { videos } = readDash(await files.text('dash'));
  expect(videos.map(({ file }) => file)).toEqual(['stream_0.mp4', 'stream_1.mp4', 'stream_2.mp4']);
});

it('all codecs have their keyframes at the same seconds', async () => {
  const grid = async (name: string) =>
    readMediaPlaylist(await files.text(`${name}-keyframes`)).segments.map(({ seconds }) => seconds);
  const first = await grid('144p');
  expect(first).toHaveLength(3);
  for (const name of ['144p-h265', '144p-av1']) {
    const other = await grid(name);
    expect(other).toHaveLength(first.length);
    for (const [index, seconds] of other.entries()) expect(seconds).toBeCloseTo(first[index] ?? 0, 2);
  }
});

it.each(['144p-h265', '144p-av1'])('%s looks like the rendition in H.264', async (name) => {
  const [one, other] = ['144p', name].map((each) => ({ path: files.paths.get(each) ?? '' }));
  expect(await ssim(one ?? { path: '' }, other ?? { path: '' })).toBeGreaterThan(0.93);
});
