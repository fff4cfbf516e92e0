import { describe, expect, it } from 'vitest';
import type { Format } from '../../core/media/formats.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { silentRecording as recording } from '../builders/media/silent-recording.ts';
import { withoutStreamEnds } from '../builders/media/without-stream-ends.ts';
import { type encode, encodeOne } from '../builders/recipes/encode.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

describe.each(['silent.mkv', 'silent.mp4'] as const)('the empty audio track of %s', (name) => {
  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'compress' }],
    ['mp4', { name: 'remux' }],
    ['webm', { name: 'transcode', preset: 'ultrafast' }],
  ])('is left out: %s, %o', async (format, recipe) => {
    const { probe } = await encodeOne(await recording(name), format, recipe);
    expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
  });
});

it('is left out of Matroska that does not state it', async () => {
  const source = await withoutStreamEnds(await recording('silent.mkv'));
  const { probe } = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
});

it('a stream leaves it out too', async () => {
  const stream = await encodeAll(await recording('silent.mkv'), 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect(stream.paths.has('audio')).toBe(false);
});

it('a recipe for audio says that there is none', async () => {
  const source = await recording('silent.mkv');
  await expect(encodeOne(source, 'mp4', { name: 'normalize-audio' })).rejects.toThrow(
    'needs an audio stream',
  );
});

it('an error names the cause and a remedy where the track may be encrypted', async () => {
  const source = await recording('silent.ts');
  await expect(encodeOne(source, 'mp4', { name: 'compress' })).rejects.toThrow(
    'it has an empty audio track: the recipe mute leaves the audio out',
  );
  const { probe } = await encodeOne(source, 'mp4', { name: 'mute' });
  expect(probe.streams).toHaveLength(1);
});

it('a track of a fragmented MP4 that has packets is kept', async () => {
  const source = await generatedFile('fragmented.mp4', [
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=160x90:rate=25:duration=1',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  ]);
  const { probe } = await encodeOne(source, 'mp4', { name: 'remux' });
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
});
