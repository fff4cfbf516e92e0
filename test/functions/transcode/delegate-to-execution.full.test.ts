import { readdir } from 'node:fs/promises';
import { chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { requeue } from '../../../core/jobs/transitions.ts';
import { aChunkedStage, type ChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { chunkedJob, delegatedJob, queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';

const urgent: JobRequestRecord = {
  mode: 'recipe',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  recipe: { name: 'compress', preset: 'ultrafast', crf: 28 },
  speed: 'fast',
};

it('a delegating worker leaves its disk empty and stores no log', async () => {
  const stage = await aChunkedStage();
  const work = await delegatedJob(stage, urgent);
  expect(await work.job()).toMatchObject({
    state: 'processing',
    stage: 'transcoding',
    chunking: { chunks: 3 },
  });
  expect(await readdir(stage.disk)).toEqual([]);
  expect(await stage.ports.logs.list(work.input)).toEqual([]);
});

it('an attempt reuses the source and the chunks of an attempt whose lease was lost', async () => {
  const stage = await aChunkedStage();
  const first = await delegatedJob(stage, urgent);
  await first.encodeAll([0, 2]);
  const { job } = requeue((await first.job()) as JobIn<'processing'>, new Date());
  await stage.ports.jobs.write({ guard: { leaseId: first.input.leaseId }, job });
  const { files, media: encoder } = stage.ports;
  const upload = () => Promise.reject(new Error('It is there'));
  expect(await runTranscode(stage, job, { files: { ...files, upload } })).toBe('delegated');
  const next = chunkedJob(stage, `${job.jobId}-2`);
  expect(next.input.planKey).toBe(first.input.planKey);
  const encoded: string[] = [];
  const run: typeof encoder.run = (command, options) => {
    encoded.push(options.directory);
    return encoder.run(command, options);
  };
  for (const { chunk } of next.input.chunks) await next.encode(chunk, { media: { ...encoder, run } });
  expect(new Set(encoded).size).toBe(1);
  expect(await next.join()).toBe('completed');
  expect(await stage.keys('')).toEqual([`jobs/${job.jobId}/2/output/output.mp4`]);
});

it('a job that is cancelled before its delegation leaves no files', async () => {
  const stage = await aChunkedStage();
  const job = await queueJob(stage, urgent);
  const result = await runTranscode(stage, job, { files: cancelling(stage, job) });
  expect([result, stage.machine.running.size]).toEqual(['lost', 0]);
  expect([await stage.keys(''), stage.unexpected]).toEqual([[], []]);
});

/** Work files that cancel the job when the plan is stored. */
function cancelling({ ports }: ChunkedStage, ref: { ownerId: string; jobId: string }) {
  const ending = { now: new Date(), webhookTarget: null, deliveryId: 'delivery-1' };
  return {
    ...ports.files,
    async writeText(key: string, text: string) {
      await ports.files.writeText(key, text);
      await ports.jobs.write(cancel((await ports.jobs.get(ref)) as JobIn<'processing'>, ending));
    },
  };
}
