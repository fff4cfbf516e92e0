// @module-tag chunks
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import { type ChunkSource, chunkSource, frameTimes } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { Job } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { filenameOf } from '../../../core/jobs/stored-file.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { expectSameFile, expectSameFrames } from '../../builders/chunking/expect-single-pass-file.ts';
import { playlistLines } from '../../builders/chunking/expect-single-pass-stream.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';
import { runPipeline } from '../../builders/recipes/run-pipeline.ts';

type Steps = { name?: string; recipe: z.input<typeof recipeRequestSchema> }[];

const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
const quick = { preset: 'ultrafast', crf: 20 } as const;

it.each<[ChunkSource, string, number, Steps]>([
  ['openGop', 'jpg', 3, [{ name: 'movie', recipe: { name: 'transcode' } }, { recipe: { name: 'thumbnail', at: 5 } }]],
  [
    'constantRate',
    'm3u8',
    4,
    [
      { name: 'slow', recipe: { name: 'speed', factor: 0.75 } },
      // Below the maximum bit rate, which restarts with each chunk.
      { recipe: { name: 'hls', segmentSeconds: 2, preset: 'ultrafast', crf: 30 } },
    ],
  ],
  [
    'variableRate',
    'mp4',
    6,
    [
      { name: 'cut', recipe: { name: 'clip', start: 0.5, end: 11 } },
      { name: 'small', recipe: { name: 'resize', width: 128 } },
      { recipe: { name: 'compress', ...quick } },
    ],
  ],
  [
    'lateAudio',
    'mkv',
    6,
    [{ recipe: { name: 'compress', ...quick } }, { name: 'marked', recipe: { name: 'transcode', ...quick } }],
  ],
])('the steps of %s to %s in chunks write the files of a single pass', async (kind, format, minChunks, steps) => {
  const source = await chunkSource(kind, { pixels: '320x180' });
  const stage = await aChunkedStage();
  const request = {
    mode: 'pipeline',
    input: { url: clipUrl(source) },
    output: { format },
    steps: steps as JobRequestRecord['steps'],
  };
  const chunked = await runToEnd(stage, { ...request, speed: 'fast' });
  const single = await runToEnd(stage, { ...request, speed: 'standard' }, { jobId: aJobId(2) });
  expect(stage.unexpected).toEqual([]);
  if (chunked.state !== 'completed' || single.state !== 'completed') throw new Error('A job did not complete');
  expect([single.attempt, single.chunking]).toEqual([1, undefined]);
  expect(chunked.attempt).toBeGreaterThan(1);
  expect(chunked.chunking?.chunks).toBeGreaterThanOrEqual(minChunks);
  expect(Object.keys(chunked.files).toSorted()).toEqual(Object.keys(single.files).toSorted());
  for (const [name, file] of Object.entries(single.files)) {
    const joined = chunked.files[name];
    if (joined === undefined) throw new Error(`There is no ${name}`);
    expect([filenameOf(joined), joined.filename]).toEqual([filenameOf(file), file.filename]);
    const [one, other] = [await stage.fetch(joined.key), await stage.fetch(file.key)];
    if (file.file_type === 'image') await expectSameFrames(one, other);
    if (file.file_type === 'playlist') expect(await playlistLines(one)).toEqual(await playlistLines(other));
    // The video of a stream is a file of its own.
    const isSilent = format === 'm3u8' && steps.every((step) => step.name !== name);
    if (file.file_type === 'video') await expectSameFile(one, other, { isSilent, isAudioCut: true });
  }
});

it('a pipeline goes on behind a step in chunks, and delivers the outputs of named steps', async () => {
  const source = await chunkSource('constantRate');
  const stage = await aChunkedStage();
  const between: Job[] = [];
  const request: JobRequestRecord = {
    mode: 'pipeline',
    input: { url: clipUrl(source) },
    output: { format: 'jpg' },
    steps: [
      { name: 'cut', recipe: { name: 'clip', start: 1, end: 11 } },
      { name: 'small', recipe: { ...compress } },
      { recipe: { name: 'thumbnail', at: 2 } },
    ],
    speed: 'fast',
  };
  const job = await runToEnd(stage, request, { onJoined: async (each) => void between.push(each) });
  expect(stage.unexpected).toEqual([]);
  expect(job).toMatchObject({
    state: 'completed',
    chunking: {
      chunks: 6,
      reason: expect.stringMatching(
        /^Step 1 \(clip\): Encoded in 3 chunks .* the job requests speed\. Step 2 \(compress\): Encoded in 3 chunks/,
      ),
    },
  });
  expect(between.map(({ state, progress }) => [state, progress])).toEqual([
    ['queued', 38],
    ['queued', 66],
  ]);
  if (job.state !== 'completed') throw new Error('The job did not complete');
  const { jobId, files } = job;
  const keys = Object.values(files).map(({ key }) => key);
  expect(await stage.keys(`jobs/${jobId}/`)).toEqual(keys.toSorted());
  expect(Object.keys(files).toSorted()).toEqual(['cut', 'output', 'small']);
  expect(await stage.keys(`work/${jobId}/`)).toEqual([]);
  const [clip] = request.steps ?? [];
  const single = await runPipeline(source, 'mp4', [clip?.recipe as { name: 'clip' }, compress]);
  const small = await stage.fetch(files.small?.key ?? '');
  expect(await frameTimes(small)).toEqual(await frameTimes(single));
});
