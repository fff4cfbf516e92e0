import { chunkSource, encodeOne } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { systemClock } from '../../../adapters/system/clock.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { aChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import { fastJob } from '../../builders/chunking/chunked-job.ts';
import { expectSameFile } from '../../builders/chunking/expect-single-pass-file.ts';

const recipe = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;

it.each([
  ['mkv', 4, 78],
  ['mp4', 3, 73],
] as const)(
  'chunks of %s encoded in any order, one of them twice, join to the file of a single pass',
  async (format, tasks, progress) => {
    const source = await chunkSource('openGop');
    const stage = await aChunkedStage();
    const job = await fastJob(stage, { source, format, recipe });
    const numbers = job.input.chunks.map(({ chunk }) => chunk).toSorted();
    expect(numbers).toEqual([0, 1, 2, 3].slice(0, tasks));
    await job.encodeAll([...numbers.slice(3), 2, 0, 2, 1]);
    expect(viewJob(await job.job(), {})).toMatchObject({
      state: 'processing',
      stage: 'transcoding',
      progress,
      chunking: { chunks: 3 },
    });
    expect(await job.join()).toBe('completed');
    const done = await job.job();
    expect(done).toMatchObject({ state: 'completed', progress: 100, mediaSeconds: expect.closeTo(12, 0) });
    const key = `jobs/${done.jobId}/1/output/output.${format}`;
    expect(await stage.keys('')).toEqual([key]);
    expect(stage.unexpected).toEqual([]);
    const single = await encodeOne(source, format, recipe);
    await expectSameFile(await stage.fetch(key), single.path, { isAudioCut: format === 'mp4' });
  },
);

it.each([
  ['upload', 'mkv'],
  ['assemble', 'mp4'],
] as const)(
  'a join whose %s never ends gives up at its deadline, and the job is encoded in a single pass',
  async (call, format) => {
    const source = await chunkSource('openGop');
    const stage = await aChunkedStage();
    const job = await fastJob(stage, { source, format, recipe });
    await job.encodeAll();
    const uploading = Promise.withResolvers<void>();
    const files = {
      ...stage.ports.files,
      [call]: ({ signal }: { signal: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          uploading.resolve();
        }),
    };
    // The deadline comes as soon as the upload has begun.
    const sleep: Clock['sleep'] = (ms, signal) => (ms > 60_000 ? uploading.promise : systemClock.sleep(ms, signal));
    expect(await job.join({}, { files, clock: { ...systemClock, sleep } })).toBe('requeued');
    expect(await job.job()).toMatchObject({
      state: 'queued',
      singlePassReason: expect.stringContaining('more time than one run'),
    });
  },
);
