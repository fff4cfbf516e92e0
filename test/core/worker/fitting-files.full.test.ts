import { chunkSource } from '@media-jobs/video/testing';
import { describe, expect, it, vi } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { requireFittingFiles } from '../../../core/worker/outputs.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aSteppedClock } from '../../builders/jobs/stepped-clock.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

/** For so many days a file of a few kilobytes costs hundreds of dollars. */
const money = { stage: { architecture: 'arm64', memoryMb: 3008, retentionDays: 1e9 } } as const;
const maxCostUsd = 1;

const request: JobRequestRecord = {
  mode: 'recipe',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  recipe: { name: 'clip', start: 1, end: 3 },
  maxCostUsd,
};

describe('a job whose finished files cost more than its limit leaves', () => {
  it('fails before its upload, in a single pass', async () => {
    const stage = await aChunkedStage();
    const job = await queueJob(stage, request);
    const upload = vi.fn();
    const files = { ...stage.ports.files, upload };
    expect(await runTranscode(stage, job, { money, files })).toBe('failed');
    expect(await stage.ports.jobs.get(job)).toMatchObject({
      error: { code: 'COST_LIMIT', retryable: false },
    });
    expect(upload).not.toHaveBeenCalled();
  });

  it.each(['mkv', 'mp4'] as const)('fails when its chunks of %s are joined', async (format) => {
    const { stage, work } = await encodedChunks({ format });
    const job = (await work.job()) as JobIn<'processing'>;
    const limited = { ...job, request: { ...job.request, maxCostUsd } };
    await stage.ports.jobs.write({ guard: { leaseId: job.leaseId }, job: limited });
    const upload = vi.fn();
    const files = { ...stage.ports.files, upload };
    expect(await work.join({}, { money, files })).toBe('failed');
    expect(await work.job()).toMatchObject({ error: { code: 'COST_LIMIT', retryable: false } });
    expect(upload).not.toHaveBeenCalled();
    expect(stage.sent).toEqual([]);
  });
});

it('of files at a storage provider only the transfer counts: its owner is billed for their storage', () => {
  const job = { ...aProcessingJob(), request };
  const file = { ...aCompletedJob().files.output, size_mbytes: 1_000 } as StoredFile;
  const deps = {
    ...workerPorts({ money }),
    clock: { ...aSteppedClock().clock, now: () => later(6_000) },
  };
  const require = (destination?: JobIn<'processing'>['destination']) =>
    requireFittingFiles(deps, { ...job, destination }, [{ name: 'output', file }]);
  expect(() => require()).toThrow('more with its files than its maxCostUsd of $1');
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
  expect(require(destination)).toBe(0);
  // The transfer of a gigabyte to the internet.
  expect(require({ ...destination, isOutsideAws: true })).toBeCloseTo(0.09, 9);
});
