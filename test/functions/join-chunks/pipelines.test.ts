import { expect, it } from 'vitest';
import type { Job, JobRequestRecord } from '../../../core/jobs/record.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { chunkSource } from '../../builders/chunking/chunk-sources.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { frameTimes } from '../../builders/measure/measure-video.ts';
import { runPipeline } from '../../builders/recipes/run-pipeline.ts';

const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;

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
  const { jobId, attempt } = job;
  expect(await stage.keys(`jobs/${jobId}/`)).toEqual(
    ['cut.mp4', 'output.jpg', 'small.mp4'].map((name) => `jobs/${jobId}/${attempt}/${name}`),
  );
  expect(await stage.keys(`work/${jobId}/`)).toEqual([]);
  const [clip] = request.steps ?? [];
  const single = await runPipeline(source, 'mp4', [clip?.recipe as { name: 'clip' }, compress]);
  const small = await stage.fetch(`jobs/${jobId}/${attempt}/small.mp4`);
  expect(await frameTimes(small)).toEqual(await frameTimes(single));
});
