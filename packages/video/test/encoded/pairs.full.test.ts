// @module-tag nightly
// @module-tag sources
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/media/formats.ts';
import type { VideoStream } from '../../src/media/probe/probe.ts';
import { audioSeconds, frameTimes, loudnessAt, ssim } from '../builders/measure/measure-video.ts';
import { type ClipFeatures, toneFrequencies } from '../builders/media/clip-features.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { featurePairs } from '../builders/media/feature-pairs.ts';
import { type EncodedOutput, encode, encodeOne } from '../builders/recipes/encode.ts';

const videoRecipes = [
  ['mp4', { name: 'compress', crf: 20 }],
  ['mov', { name: 'compress', maxWidth: 160 }],
  ['mp4', { name: 'transcode', codec: 'h264' }],
  ['mp4', { name: 'transcode', codec: 'h265' }],
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mkv', { name: 'transcode', codec: 'av1' }],
  ['mp4', { name: 'transcode', bitrate: 800 }],
  ['mp4', { name: 'resize', width: 240 }],
  ['mp4', { name: 'resize', width: 160, height: 160, fit: 'cover' }],
  ['mkv', { name: 'resize', width: 160, height: 160, fit: 'pad' }],
] as const;

describe.each(featurePairs)('a source: $shape, $colour, $rate rate, $audio audio, subtitles $subtitles', (features) => {
  it.each(videoRecipes)('becomes %s with %o with the same look, audio and duration', async (format, recipe) => {
    const source = await clipWith(features);
    const output = await encodeOne(source, format, recipe);
    await expectSameTimes(output.path, source);
    expect(await likeness(output, features, recipe)).toBeGreaterThan(features.colour === 'hdr' ? 0.7 : 0.88);
    await expectSameAudio(output, features, source);
  });

  it('is cut exactly', async () => {
    const source = await clipWith(features);
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.5, end: 1.7 });
    const expected = (await frameTimes(source)).filter((time) => time >= 0.4995 && time < 1.6995);
    // A clip of a variable rate starts with the frame on screen at 0.5 s, which may be an earlier one.
    const held = features.rate === 'variable' && (expected[0] ?? 0) > 0.5005 ? 1 : 0;
    expect(await frameTimes(output.path)).toHaveLength(expected.length + held);
  });

  it.each(['jpg', 'png', 'webp'] as const)('has its frame in a %s', async (format) => {
    const output = await encodeOne(await clipWith(features), format, { name: 'thumbnail', at: 1.2 });
    const reference = await seen(features, videoStream(output));
    const filters = `select=gte(t\\,1.18),trim=end_frame=1${reference.filters}`;
    expect(await ssim({ path: output.path }, { path: reference.path, filters })).toBeGreaterThan(
      features.colour === 'hdr' ? 0.7 : 0.9,
    );
  });

  it('has a thumbnail for every interval', async () => {
    expect(await encode(await clipWith(features), 'jpg', { name: 'thumbnails', every: 0.6 })).toHaveLength(4);
  });

  it.each(['mp3', 'm4a', 'opus', 'flac', 'wav'] as const)(
    'has its audio in %s, or is rejected without audio',
    async (format) => {
      const source = await clipWith(features);
      const encoding = encodeOne(source, format, { name: 'extract-audio' });
      if (features.audio === 'none') {
        await expect(encoding).rejects.toMatchObject({ code: 'INPUT_UNSUPPORTED' });
        return;
      }
      await expectSameAudio(await encoding, features, source);
    },
  );
});

describe('an audio file', () => {
  it.each(videoRecipes)('is rejected for %s with %o', async (format, recipe) => {
    const encoding = encodeOne(await specialClip('audioOnly'), format, recipe);
    await expect(encoding).rejects.toMatchObject({ code: 'INPUT_UNSUPPORTED' });
  });

  it.each(['mp3', 'm4a', 'opus', 'flac', 'wav'] satisfies Format[])('is converted to %s', async (format) => {
    const source = await specialClip('audioOnly');
    const output = await encodeOne(source, format, { name: 'extract-audio' });
    await expectSameAudio(output, { audio: 'one' }, source);
  });
});

/** Every frame at its own time, within the resolution of the coarsest container (Matroska, 1 ms). */
async function expectSameTimes(path: string, source: string): Promise<void> {
  const [before, after] = await Promise.all([frameTimes(source), frameTimes(path)]);
  expect(after).toHaveLength(before.length);
  for (const [index, time] of after.entries()) {
    expect(Math.abs(time - (before[index] ?? Number.NaN))).toBeLessThan(0.002);
  }
}

async function expectSameAudio(output: EncodedOutput, { audio }: ClipFeatures, source: string): Promise<void> {
  if (audio === 'none') return;
  expect(Math.abs((await audioSeconds(output.path)) - 2)).toBeLessThan(0.08);
  const [wanted, other] =
    audio === 'several'
      ? [toneFrequencies.second, toneFrequencies.first]
      : [toneFrequencies.first, toneFrequencies.second];
  const loudness = await loudnessAt(output.path, wanted);
  expect(loudness).toBeGreaterThan((await loudnessAt(output.path, other)) + 20);
  if (audio === 'one') expect(Math.abs(loudness - (await loudnessAt(source, wanted)))).toBeLessThan(1.5);
}

/** SSIM of an output against what a person should see, frame by frame. */
async function likeness(output: EncodedOutput, features: ClipFeatures, recipe: object): Promise<number> {
  const fit = 'fit' in recipe ? recipe.fit : 'contain';
  const reference = await seen(features, videoStream(output), fit);
  const inStep = 'setpts=N/25/TB';
  return ssim(
    { path: output.path, filters: inStep },
    { path: reference.path, filters: `${inStep}${reference.filters}` },
  );
}

/** The same pattern without HDR, turned upright by hand and brought to the output's size. */
async function seen(features: ClipFeatures, { width, height }: VideoStream, fit: unknown = 'contain') {
  const isPortrait = features.shape === 'portrait';
  const path = await clipWith({ rate: features.rate, ...(features.shape === 'odd' ? { shape: 'odd' } : {}) });
  const scale = {
    contain: `scale=${width}:${height}`,
    cover: `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`,
    pad: `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=${width}:${height}:-1:-1`,
  }[String(fit)];
  return { path, filters: `${isPortrait ? ',transpose=cclock' : ''},${scale},format=yuv420p` };
}

function videoStream(output: EncodedOutput): VideoStream {
  const video = output.probe.streams.find((stream) => stream.kind === 'video');
  if (video?.kind !== 'video') throw new Error('The output has no video stream');
  return video;
}
