import { expect, it } from 'vitest';
import type { Format } from '../../core/media/formats.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { type encode, encodeOne } from '../builders/recipes/encode.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

/** A recording whose audio track has no packets. */
const recording = (name: 'silent.mkv' | 'silent.mp4') =>
  generatedFile(name, [
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
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-af', 'atrim=start=100'],
    ...(name === 'silent.mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : []),
  ]);

it.each<[Format, Parameters<typeof encode>[2]]>([
  ['mp4', { name: 'compress' }],
  ['mp4', { name: 'remux' }],
  ['webm', { name: 'transcode', preset: 'ultrafast' }],
])('an empty audio track is left out: %s, %o', async (format, recipe) => {
  const { probe } = await encodeOne(await recording('silent.mkv'), format, recipe);
  expect(probe.streams.map(({ kind }) => kind)).toEqual(['video']);
});

it('so does a stream', async () => {
  const stream = await encodeAll(await recording('silent.mkv'), 'm3u8', { name: 'hls', preset: 'ultrafast' });
  expect(stream.paths.has('audio')).toBe(false);
});

it('a recipe for audio says that there is none', async () => {
  const source = await recording('silent.mkv');
  await expect(encodeOne(source, 'mp4', { name: 'normalize-audio' })).rejects.toThrow(
    'needs an audio stream',
  );
});

it('an error names the cause and a remedy where the file does not state it', async () => {
  const source = await recording('silent.mp4');
  await expect(encodeOne(source, 'mp4', { name: 'compress' })).rejects.toThrow(
    'The audio track of the input is probably empty: the recipe mute leaves it out',
  );
  const { probe } = await encodeOne(source, 'mp4', { name: 'mute' });
  expect(probe.streams).toHaveLength(1);
});
