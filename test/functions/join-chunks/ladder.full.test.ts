// @module-tag chunks
import { join } from 'node:path';
import type { PlannedOutput } from '@media-jobs/video/encoding';
import type { Format } from '@media-jobs/video/media';
import type { hls } from '@media-jobs/video/recipes';
import { chunkSource, encode } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { fastJob } from '../../builders/chunking/chunked-job.ts';
import { expectSameFile } from '../../builders/chunking/expect-single-pass-file.ts';
import { expectSameStream } from '../../builders/chunking/expect-single-pass-stream.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { encodeAll } from '../../builders/recipes/encode-all.ts';

type Request = { pixels: string; format: Format; recipe: JobRequestRecord['recipe'] };

/** A completed job that was encoded in chunks: its source, stage and id. */
async function joinedJob({ pixels, format, recipe }: Request) {
  const source = await chunkSource('openGop', { pixels });
  const stage = await aChunkedStage();
  const work = await fastJob(stage, { source, format, recipe });
  await work.encodeAll();
  expect(await work.join()).toBe('completed');
  expect(stage.unexpected).toEqual([]);
  return { source, stage, jobId: work.input.jobId };
}

it('chunks with two renditions each join to the two renditions of a single pass', async () => {
  const recipe = { name: 'renditions' as const, heights: [180, 144] };
  const { source, stage, jobId } = await joinedJob({ pixels: '320x180', format: 'mp4', recipe });
  const single = await encode(source, 'mp4', recipe);
  expect(await stage.keys('')).toEqual(['144p', '180p'].map((name) => `jobs/${jobId}/1/output/${name}.mp4`));
  for (const { filename, path } of single) {
    await expectSameFile(await stage.fetch(`jobs/${jobId}/1/output/${filename}`), path, { isAudioCut: true });
  }
});

const stream = { name: 'hls', segmentSeconds: 2, crf: 36, preset: 'ultrafast' } as const;

it.each<[string, string, z.input<typeof hls.request>]>([
  ['', '640x480', stream],
  [' in three codecs', '400x300', { ...stream, codecs: ['h264', 'h265', 'av1'] }],
])('chunks join to the HLS and DASH files of a single pass%s', async (_, pixels, recipe) => {
  const { source, stage, jobId } = await joinedJob({ pixels, format: 'm3u8', recipe });
  const single = await encodeAll(source, 'm3u8', recipe);
  const keyOf = ({ filename }: PlannedOutput) => `jobs/${jobId}/1/output/${filename}`;
  expect((await stage.keys('')).toSorted()).toEqual(single.outputs.map(keyOf).toSorted());
  const files = single.outputs.map(async (output) => ({
    output,
    single: join(single.directory, output.filename),
    chunked: await stage.fetch(keyOf(output)),
  }));
  await expectSameStream(await Promise.all(files));
});

it('each of two streams that are encoded in chunks has its files in the bucket', async () => {
  const source = await chunkSource('openGop', { pixels: '320x180' });
  const stage = await aChunkedStage();
  const made = { recipe: stream, format: 'm3u8' };
  const request = { mode: 'outputs', input: { url: clipUrl(source) }, outputs: { one: made, other: made } };
  const job = await runToEnd(stage, { ...request, speed: 'fast' });
  expect(stage.unexpected).toEqual([]);
  if (job.state !== 'completed') throw new Error('The job did not complete');
  expect(job.workers).toEqual(['chunks', 'chunks']);
  expect((await stage.keys('')).toSorted()).toEqual(
    Object.values(job.files)
      .map(({ key }) => key)
      .toSorted(),
  );
});
