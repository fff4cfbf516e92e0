// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Format } from '@media-jobs/video/media';
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import { damagedFile, noise, nothing, type SourceName, wholeFile, withoutFragments } from '@media-jobs/video/testing';
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

  it.each<SourceName>(['h264.mp4', 'h264.mkv', 'tone.flac', 'tone.opus'])('of the audio: %s', async (name) => {
    const source = await damagedFile(name, [0.4, 0.6], noise);
    const { warnings } = await runAsWorker(source, 'mp3', [{ name: 'extract-audio' }]);
    expect(warnings).toEqual([warningOf('audio')]);
  });

  it('of the frames that a copy was checked by', async () => {
    const source = await damagedFile('h264.mp4', [0.45, 0.55], noise);
    const { warnings } = await runAsWorker(source, 'mkv', [{ name: 'remux' }]);
    expect(warnings).toContainEqual({
      code: 'INPUT_DAMAGED',
      message: expect.stringMatching(/of \d+ video frames that were checked, \d+ are missing or damaged/),
    });
  });
});

it.each<[Format, Recipe]>([
  ['mp4', { name: 'compress', preset: 'ultrafast' }],
  ['mkv', { name: 'remux' }],
])('a job whose source lacks one of twelve fragments tells it in %s', async (format, recipe) => {
  const { warnings } = await runAsWorker(await withoutFragments((number) => number === 5), format, [recipe]);
  expect(warnings).toContainEqual({
    code: 'INPUT_DAMAGED',
    message: 'The input is damaged: of 301 video frames, 26 are missing or damaged (8.6 %)',
  });
});

it('a job fails whose source lacks most of its fragments', async () => {
  const source = await withoutFragments((number) => number > 2 && number < 11);
  const error = { code: 'INPUT_DAMAGED', retryable: false };
  await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
});

it.each<[SourceName, Format, Recipe]>([
  ['h264.mp4', 'mp4', { name: 'compress' }],
  ['fragments.mp4', 'mp4', { name: 'compress' }],
  ['h264.mkv', 'mp4', { name: 'clip', start: 3, end: 9 }],
  ['h264.mkv', 'mkv', { name: 'remux' }],
  ['tone.flac', 'mp3', { name: 'extract-audio' }],
])('a job fails for good if most of its source is damaged: %s to %s by %o', async (name, format, recipe) => {
  const source = await damagedFile(name, [0.15, 0.85], noise);
  const error = { code: 'INPUT_DAMAGED', retryable: false };
  await expect(runAsWorker(source, format, [recipe])).rejects.toMatchObject(error);
});

it('a job fails whose source lost so many frames that the result ends early', async () => {
  const source = await damagedFile('mpeg4.avi', [0.4, 0.6], noise);
  const message = expect.stringMatching(/of \d+ video frames, \d+ are missing .* The finished file lasts/);
  const error = { code: 'INPUT_DAMAGED', retryable: false, message };
  await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
});

it.each<[SourceName, Format, Recipe]>([
  ['h264.ts', 'mp4', { name: 'compress', preset: 'ultrafast' }],
  ['tone.opus', 'mp3', { name: 'extract-audio' }],
  ['h264.ts', 'json', { name: 'probe' }],
])('a job whose source was cut off tells it, where no length is stated: %s to %s', async (name, format, recipe) => {
  const source = await damagedFile(name, [0.7, 1], nothing);
  const { warnings } = await runAsWorker(source, format, [recipe]);
  expect(warnings).toEqual([{ code: 'INPUT_DAMAGED', message: expect.stringContaining('it was cut off') }]);
});

it('a WAV whose writer did not know its length is whole', async () => {
  const file = await readFile(await wholeFile('tone.wav'));
  for (const at of [4, file.indexOf('data') + 4]) file.writeUInt32LE(0x7ffff000, at);
  const path = join(await aTemporaryFolder(), 'piped.wav');
  await writeFile(path, file);
  const { outputs, warnings } = await runAsWorker(path, 'mp3', [{ name: 'extract-audio' }]);
  expect(warnings).toEqual([]);
  expect(outputs[0]?.probe?.durationSeconds).toBeCloseTo(12, 0);
});

it.each<SourceName>(['h264.ts', 'fragments.mp4'])('a job whose source is whole has no warning: %s', async (name) => {
  const { warnings } = await runAsWorker(await wholeFile(name), 'mp4', [{ name: 'compress' }]);
  expect(warnings).toEqual([]);
});
