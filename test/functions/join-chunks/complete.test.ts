import { expect, it } from 'vitest';
import { viewJob } from '../../../core/jobs/view.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { chunkSource } from '../../builders/chunking/chunk-sources.ts';
import { delegatedJob } from '../../builders/chunking/chunked-job.ts';
import { expectSameFile } from '../../builders/chunking/expect-single-pass-file.ts';
import { encodeOne } from '../../builders/recipes/encode.ts';

const recipe = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;

it('chunks encoded in any order, one of them twice, join to the file of a single pass', async () => {
  const source = await chunkSource('openGop');
  const stage = await aChunkedStage();
  const job = await delegatedJob(stage, {
    mode: 'recipe',
    input: { url: clipUrl(source) },
    output: { format: 'mp4' },
    recipe,
    speed: 'fast',
  });
  expect(job.input.chunks.map(({ chunk }) => chunk).toSorted()).toEqual([0, 1, 2, 3]);
  await job.encodeAll([3, 2, 0, 2, 1]);
  expect(viewJob(await job.job(), {})).toMatchObject({
    state: 'processing',
    stage: 'transcoding',
    progress: 78,
    chunking: { chunks: 3 },
  });
  expect(await job.join()).toBe('completed');
  const done = await job.job();
  expect(done).toMatchObject({ state: 'completed', progress: 100, mediaSeconds: expect.closeTo(12, 0) });
  const key = `jobs/${done.jobId}/1/output.mp4`;
  expect(await stage.keys('')).toEqual([key]);
  expect(stage.unexpected).toEqual([]);
  const single = await encodeOne(source, 'mp4', recipe);
  await expectSameFile(await stage.fetch(key), single.path);
});
