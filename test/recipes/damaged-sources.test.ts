// @module-tag sources
import type { Format } from '@media-jobs/video/media';
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import { damagedFile, noise, wholeFile } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';

type Recipe = z.input<typeof recipeRequestSchema>;

const warningOf = (kind: 'video' | 'audio') => ({
  code: 'INPUT_DAMAGED',
  message: expect.stringMatching(new RegExp(`of \\d+ ${kind} frames, \\d+ are missing or damaged`)),
});

describe('a job whose source is damaged warns how much is missing', () => {
  it.each<[Format, Recipe]>([
    ['mp4', { name: 'compress' }],
    ['gif', { name: 'gif' }],
    ['m3u8', { name: 'hls' }],
  ])('in the %s of %o', async (format, recipe) => {
    const source = await damagedFile('h264.mp4', [0.4, 0.6], noise);
    const { warnings } = await runAsWorker(source, format, [recipe]);
    expect(warnings).toContainEqual(warningOf('video'));
  });

  it('of the audio', async () => {
    const source = await damagedFile('h264.mp4', [0.4, 0.6], noise);
    const { warnings } = await runAsWorker(source, 'mp3', [{ name: 'extract-audio' }]);
    expect(warnings).toEqual([warningOf('audio')]);
  });
});

it('a job fails, and not to be retried, if most of its source is damaged', async () => {
  const source = await damagedFile('h264.mp4', [0.15, 0.85], noise);
  const error = { code: 'INPUT_DAMAGED', retryable: false };
  await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
});

it('a job fails whose source lost so many frames that the result ends early', async () => {
  const source = await damagedFile('mpeg4.avi', [0.4, 0.6], noise);
  const message = expect.stringMatching(/of \d+ video frames, \d+ are missing .* The finished file lasts/);
  const error = { code: 'INPUT_DAMAGED', retryable: false, message };
  await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
});

it('a job whose source is whole has no warning', async () => {
  const { warnings } = await runAsWorker(await wholeFile('h264.ts'), 'mp4', [{ name: 'compress' }]);
  expect(warnings).toEqual([]);
});
