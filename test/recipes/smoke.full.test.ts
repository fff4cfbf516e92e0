// @module-tag nightly
// @module-tag pipelines
// @module-tag quality
// @module-tag images
// @module-tag streams
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Format } from '@media-jobs/video/media';
import { type RecipeRequest, recipes } from '@media-jobs/video/recipes';
import { anEncoder, encode, generatedFile, srtOf, writeTestFile } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10:duration=1.2'];
const subtitles = srtOf('smoke');
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** One second of each kind: an emulated processor takes a hundred times as long as a real one. */
const sources = {
  clip: [
    'smoke.mkv',
    [
      ...[...pattern, '-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=1.2'],
      ...['-i', `data:text/plain;base64,${Buffer.from(subtitles).toString('base64')}`],
      ...['-map', '0', '-map', '1', '-map', '2', ...x264, '-c:a', 'aac', '-c:s', 'copy'],
    ],
  ],
  hdr: [
    'smoke-hdr.mp4',
    [
      ...[...pattern, ...x264, '-vf', 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc'],
      ...['-profile:v', 'high10', '-pix_fmt', 'yuv420p10le'],
    ],
  ],
  photo: ['smoke.png', [...pattern, '-frames:v', '1']],
} as const;

function source(kind: keyof typeof sources): Promise<string> {
  const [name, args] = sources[kind];
  return generatedFile(name, args);
}

type Smoke = [Format, Record<string, unknown> & { name: RecipeRequest['name'] }];

/** Every recipe, with every encoder that it may use. */
const smokes: Smoke[] = [
  ['mp4', { name: 'compress' }],
  ['mp4', { name: 'compress', targetVmaf: 80, preset: 'ultrafast' }],
  ['mp4', { name: 'transcode', codec: 'h264', targetSizeMb: 0.05 }],
  ['mp4', { name: 'transcode', codec: 'h265', audioCodec: 'eac3' }],
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mp4', { name: 'transcode', codec: 'av1' }],
  ['mov', { name: 'transcode', codec: 'prores' }],
  ['mp4', { name: 'remux' }],
  ['mp4', { name: 'renditions', heights: [240] }],
  ['m3u8', { name: 'hls', segmentSeconds: 2 }],
  ['mp4', { name: 'resize', width: 80, height: 80, fit: 'pad' }],
  ['mp4', { name: 'clip', start: 0.2, end: 0.9 }],
  ['mkv', { name: 'clip', end: 0.9, accuracy: 'keyframe' }],
  ['jpg', { name: 'thumbnail', at: 0.5 }],
  ['webp', { name: 'thumbnails', every: 0.5 }],
  ...(['mp3', 'm4a', 'opus', 'flac', 'wav'] as const).map((format): Smoke => [format, { name: 'extract-audio' }]),
  ['vtt', { name: 'extract-subtitles' }],
  ['mp4', { name: 'normalize-audio' }],
  ['mp4', { name: 'mute' }],
  ['mp4', { name: 'rotate', degrees: 90 }],
  ['mp4', { name: 'speed', factor: 1.5 }],
  ['mp4', { name: 'hdr-to-sdr' }],
  ['mp4', { name: 'watermark', image: 'https://example.com/logo.png' }],
  ['mp4', { name: 'burn-subtitles', subtitles: 'https://example.com/text.srt' }],
  ['mp4', { name: 'concat' }],
  ['gif', { name: 'gif', width: 80 }],
  ['webp', { name: 'animated-webp', width: 80 }],
  ['png', { name: 'contact-sheet', columns: 2, rows: 1, tileWidth: 80 }],
  ['jpg', { name: 'sprite', every: 0.5, tileWidth: 80 }],
  ['avif', { name: 'image' }],
  ['webp', { name: 'image', width: 80 }],
  ['json', { name: 'probe' }],
];

describe('smoke', () => {
  it('covers every recipe', () => {
    expect(new Set(smokes.map(([, { name }]) => name))).toEqual(new Set(recipes.map(({ name }) => name)));
  });

  it.each(smokes)('%s by %j is what the recipe plans', async (format, recipe) => {
    const request = recipe as RecipeRequest;
    if (recipe.targetVmaf !== undefined && !(await anEncoder().canCompare())) {
      // The recipe rejects it.
      await expect(encode(await source('clip'), format, request)).rejects.toThrow('use crf instead');
      return;
    }
    if (['hls', 'sprite', 'probe'].includes(recipe.name)) {
      const files = await encodeAll(await source('clip'), format, request);
      expect(files.paths.size).toBeGreaterThan(0);
      return;
    }
    expect(await encode(await filesOf(recipe.name), format, request)).not.toHaveLength(0);
  });
});

async function filesOf(name: RecipeRequest['name']): Promise<Parameters<typeof encode>[0]> {
  if (name === 'hdr-to-sdr') return source('hdr');
  if (name === 'image') return source('photo');
  const clip = await source('clip');
  if (name === 'concat') return { inputs: [clip, clip] };
  if (name === 'watermark') return { inputs: [clip], assets: { image: await source('photo') } };
  if (name !== 'burn-subtitles') return clip;
  const directory = await aTemporaryFolder();
  return { inputs: [clip], assets: { subtitles: await writeTestFile(directory, 'text.srt', subtitles) } };
}
