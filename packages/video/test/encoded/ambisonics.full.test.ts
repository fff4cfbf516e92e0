// @module-tag nightly
// @module-tag audio
// @module-tag sources
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/media/formats.ts';
import { loudestTones } from '../builders/measure/loudest-tones.ts';
import { loudnessAt } from '../builders/measure/measure-video.ts';
import { ambisonicClip, ambisonicMp4, ambisonicTones } from '../builders/media/ambisonic-clip.ts';
import { anEncoder, type encode, encodeOne } from '../builders/recipes/encode.ts';

const { left, right, narrator } = ambisonicTones;

describe('ambisonic Opus', () => {
  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'compress', preset: 'ultrafast' }],
    ['mp4', { name: 'transcode', preset: 'ultrafast', audioTracks: [0] } as { name: 'transcode' }],
    ['mp4', { name: 'speed', factor: 1.1 }],
    ['wav', { name: 'normalize-audio' }],
    ['opus', { name: 'extract-audio', channels: 'source' }],
  ])('is decoded to stereo, with what is on the left and on the right: %s, %o', async (format, recipe) => {
    const { path, probe } = await encodeOne(await ambisonicClip(), format, recipe);
    expect(probe.streams.at(-1)).toMatchObject({ kind: 'audio', channels: 2 });
    expect(await loudestTones(path, [left, right], { channels: 2 })).toEqual([left, right]);
  });

  it('is decoded with the channels that do not turn with the viewer', async () => {
    const { path } = await encodeOne(await ambisonicClip({ hasNarrator: true }), 'wav', { name: 'extract-audio' });
    expect(await loudestTones(path, [left, right], { channels: 2 })).toEqual([left, right]);
    expect(await loudnessAt(path, narrator)).toBeGreaterThan(-25);
  });

  it('keeps its channels where it is copied', async () => {
    const { probe } = await encodeOne(await ambisonicClip(), 'mkv', { name: 'remux' });
    expect(probe.streams[1]).toMatchObject({ channels: 4, ambisonics: {} });
  });

  it('with a projection matrix is rejected by name', async () => {
    await expect(anEncoder().probe(await ambisonicClip({ family: 3 }))).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining('mapping family 3'),
    });
  });
});

it.each<[Format, Parameters<typeof encode>[2]]>([
  ['m4a', { name: 'extract-audio' }],
  ['wav', { name: 'normalize-audio' }],
])('ambisonics that only a box of the MP4 states is decoded to stereo: %s', async (format, recipe) => {
  const source = await ambisonicMp4();
  expect((await anEncoder().probe(source)).streams[0]).toMatchObject({ channels: 4, ambisonics: {} });
  const { path, probe } = await encodeOne(source, format, recipe);
  expect(probe.streams.at(-1)).toMatchObject({ kind: 'audio', channels: 2 });
  expect(await loudestTones(path, [left, right], { channels: 2 })).toEqual([left, right]);
});
