// @module-tag chunks
import type { Format } from '@media-jobs/video/media';
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import { type ChunkSource, chunkSource, encodeOne, generatedFile, specialClip } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { fastJob } from '../../builders/chunking/chunked-job.ts';
import { expectSameFile } from '../../builders/chunking/expect-single-pass-file.ts';

type Recipe = z.input<typeof recipeRequestSchema>;

const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
const image = await specialClip('stillImage');
const cue = Buffer.from('1\n00:00:02,000 --> 00:00:05,000\nA cue\n').toString('base64');
const subtitles = await generatedFile('cue.srt', ['-i', `data:text/plain;base64,${cue}`]);

function assetsOf({ name }: Recipe): Record<string, string> {
  if (name === 'watermark') return { image };
  return name === 'burn-subtitles' ? { subtitles } : {};
}

it.each<[ChunkSource, Format, Recipe]>([
  ['lateStart', 'mp4', compress],
  ['lateAudio', 'mp4', compress],
  ['h264Stream', 'mkv', compress],
  ['variableRate', 'webm', { name: 'transcode', codec: 'vp9' }],
  ['cinema', 'mov', { name: 'resize', width: 96 }],
  ['silent', 'mp4', compress],
  ['mpeg2OpenGop', 'mp4', { name: 'mute' }],
  ['openGop', 'mp4', { name: 'watermark', image: clipUrl(image), position: 'top-left' }],
  ['openGop', 'mp4', { name: 'burn-subtitles', subtitles: clipUrl(subtitles) }],
])('chunks of %s join to the %s of a single pass by %o', async (kind, format, recipe) => {
  const source = await chunkSource(kind);
  const stage = await aChunkedStage();
  const job = await fastJob(stage, { source, format, recipe });
  await job.encodeAll();
  expect(await job.join()).toBe('completed');
  const [file = ''] = await stage.keys('jobs/');
  const { path } = await encodeOne({ inputs: [source], assets: assetsOf(recipe) }, format, recipe);
  const isSilent = kind === 'silent' || recipe.name === 'mute';
  const done = await job.job();
  const isAudioCut = 'chunking' in done && job.input.chunks.length === done.chunking?.chunks;
  await expectSameFile(await stage.fetch(file), path, { isSilent, isAudioCut });
  expect(stage.unexpected).toEqual([]);
});
