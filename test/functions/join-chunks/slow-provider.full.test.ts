import { chunkSource } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../adapters/system/clock.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { ObjectStore } from '../../../core/storage/object-store.ts';
import { uploadMsOfJoin, uploadMsOfRetry } from '../../../core/storage/upload-time.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { aChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import { fastJob } from '../../builders/chunking/chunked-job.ts';

const destination = { storageProviderId: 'sp_slow', keyTemplate: '{jobId}/{name}.{extension}' };

/** A provider that takes no bytes, and a clock on which only the time of the upload passes. */
function aSlowProvider() {
  const uploading = Promise.withResolvers<void>();
  const send: ObjectStore['send'] = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      uploading.resolve();
    });
  const store = { ...memoryObjectStore(), send };
  // The deadline of the worker is two minutes ahead.
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms < 50_000) return systemClock.sleep(ms, signal);
    return ms < 100_000 ? uploading.promise : new Promise(() => undefined);
  };
  return { openObjectStore: async () => store, clock: { ...systemClock, sleep } };
}

it('a join whose provider is too slow fails the job, and keeps the encoded files for a retry', async () => {
  const stage = await aChunkedStage();
  const recipe = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
  const work = await fastJob(stage, { source: await chunkSource('openGop'), format: 'mkv', recipe });
  await work.encodeAll();
  const delegated = (await work.job()) as JobIn<'processing'>;
  const { jobs } = stage.ports;
  await jobs.write({ guard: { leaseId: delegated.leaseId }, job: { ...delegated, destination } });

  expect(await work.join({}, aSlowProvider())).toBe('failed');
  const failed = (await work.job()) as JobIn<'failed'>;
  const { jobId, attempt } = failed;
  expect(failed).toMatchObject({
    error: { code: 'UPLOAD_ERROR', stage: 'uploading', retryable: true },
    unpublished: { jobId, attempt },
  });
  expect(failed.error.message).toMatch(/^The storage provider is too slow: it did not take \d+ bytes within 60 s/);
  expect(await stage.keys('jobs/')).toEqual([`jobs/${jobId}/1/output/output.mkv`]);
});

describe('the time that a join gives a provider', () => {
  const minutes = (ms: number) => ms / 60_000;
  const left = 15 * 60_000;

  it('is a minute, and half a second for each megabyte', () => {
    expect(uploadMsOfJoin(0, left)).toBe(60_000);
    expect(uploadMsOfJoin(600e6, left)).toBe(360_000);
  });

  it('leaves enough to keep the files', () => {
    expect(minutes(uploadMsOfJoin(3e9, left))).toBe(12);
    expect(uploadMsOfJoin(0, 40_000)).toBe(10_000);
    expect(minutes(uploadMsOfRetry(3e9, left))).toBe(14.5);
  });
});
