// @module-tag chunks
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { chunkSource, encodeOne } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { delegatedJob } from '../../builders/chunking/chunked-job.ts';
import { expectSameFile } from '../../builders/chunking/expect-single-pass-file.ts';

const chunking = chunkSettingsSchema.parse({ targetChunkSeconds: 5 });
const recipe = { name: 'concat', fps: 12 } as const;

it.each([
  ['mp4', 4],
  ['mkv', 5],
] as const)('joined videos in chunks of %s are the file of a single pass', async (format, tasks) => {
  const sources = [await chunkSource('openGop'), await chunkSource('lateAudio')] as const;
  const stage = await aChunkedStage();
  const inputs = sources.map((source) => ({ url: clipUrl(source) }));
  const request = { mode: 'recipe', inputs, output: { format }, recipe, speed: 'fast' } as const;
  const job = await delegatedJob(stage, request, { chunking });
  expect(await job.job()).toMatchObject({ chunking: { chunks: 4 } });
  expect(job.input.chunks).toHaveLength(tasks);
  await job.encodeAll();
  expect(await job.join()).toBe('completed');
  expect(stage.unexpected).toEqual([]);
  const key = `jobs/${job.input.jobId}/1/output/output.${format}`;
  expect(await stage.keys('')).toEqual([key]);
  const single = await encodeOne({ inputs: [...sources] }, format, recipe);
  await expectSameFile(await stage.fetch(key), single.path, { isAudioCut: format === 'mp4' });
});
