// @module-tag sources
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Format } from '@media-jobs/video/media';
import {
  type encode,
  encodeOne,
  generatedFile,
  h264AndAac,
  recording,
  silentRecording,
  withoutStreamEnds,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

describe.each(['silent.mkv', 'silent.mp4'] as const)('the empty audio track of %s', (name) => {
  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'compress' }],
    ['mp4', { name: 'remux' }],
    ['webm', { name: 'transcode', preset: 'ultrafast' }],
  ])('is left out: %s, %o', async (format, recipe) => {
    const { probe } = await encodeOne(await silentRecording(name), format, recipe);
    expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
  });
});

it('is left out of Matroska that does not state it', async () => {
  const source = await withoutStreamEnds(await silentRecording('silent.mkv'));
  const { probe } = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
});

it('a stream leaves it out too', async () => {
  const stream = await encodeAll(await silentRecording('silent.mkv'), 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect(stream.paths.has('audio')).toBe(false);
});

it('a recipe for audio says that there is none', async () => {
  const source = await silentRecording('silent.mkv');
  await expect(encodeOne(source, 'mp4', { name: 'normalize-audio' })).rejects.toThrow('needs an audio stream');
});

it('an error names the cause and a remedy where the track may be encrypted', async () => {
  const source = await silentRecording('silent.ts');
  await expect(encodeOne(source, 'mp4', { name: 'compress' })).rejects.toThrow(
    'it has an empty audio track: the recipe mute leaves the audio out',
  );
  const { probe } = await encodeOne(source, 'mp4', { name: 'mute' });
  expect(probe.streams).toHaveLength(1);
});

it('a track of a fragmented MP4 that has packets is kept', async () => {
  const fragments = ['-movflags', 'frag_keyframe+empty_moov'];
  const source = await recording('fragmented.mp4', { video: 1, audio: 1 }, [...h264AndAac, ...fragments]);
  const { probe } = await encodeOne(source, 'mp4', { name: 'remux' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
});

it('an empty video track is none: a recipe for audio works, one for video says that there is none', async () => {
  const source = await generatedFile('camera-off.webm', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x36:duration=2', '-f', 'lavfi', '-i', 'sine=duration=2'],
    ...['-vf', 'select=0', '-c:v', 'libvpx', '-c:a', 'libopus'],
  ]);
  const { probe } = await encodeOne(source, 'mp3', { name: 'extract-audio' });
  expect(probe.durationSeconds).toBeCloseTo(2, 0);
  for (const recipe of [{ name: 'compress' }, { name: 'remux' }] as const) {
    await expect(encodeOne(source, 'mp4', recipe)).rejects.toThrow('needs a video stream; the input has none');
  }
});

const tone = (extension: string, codec: string) =>
  generatedFile(`tone.${extension}`, ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', codec]);

/** Two seconds of AMR at 12.2 kbit/s (RFC 4867, 5). Not every ffmpeg has an encoder of it. */
async function amr(): Promise<string> {
  const path = join(await aTemporaryFolder(), 'silence.amr');
  const frame = Buffer.concat([Buffer.of(0x3c), Buffer.alloc(31)]);
  await writeFile(path, Buffer.concat([Buffer.from('#!AMR\n'), ...Array<Buffer>(100).fill(frame)]));
  return path;
}

it.each([
  ['caf', () => tone('caf', 'alac')],
  ['wv', () => tone('wv', 'wavpack')],
  ['amr', amr],
] as const)('audio in %s is read', async (_, make) => {
  const source = await make();
  const { probe } = await encodeOne(source, 'mp3', { name: 'extract-audio' });
  expect(probe.durationSeconds).toBeCloseTo(2, 0);
});
