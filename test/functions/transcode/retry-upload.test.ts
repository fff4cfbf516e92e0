import type { Workspace } from '@media-jobs/video/ffmpeg';
import { expect, it, vi } from 'vitest';
import { jobCreatedAt } from '../../../core/jobs/job-id.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import { outputBytesOf } from '../../../core/jobs/usage.ts';
import { costLimitOfReservation, costOfRepeatedUpload } from '../../../core/pricing/cost-limit.ts';
import { admit } from '../../../functions/transcode/money.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { transcodeInPool, transcodeNext } from '../../builders/jobs/transcode-next.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

/** A clock that stands still. */
const clock: Clock = {
  now: () => later(2_000),
  sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

const { files } = aCompletedJob();
const sizeBytes = outputBytesOf({ files });

type CappedJob = { spentUsd?: number; maxCostUsd?: number; work?: typeof transcodeNext; isRetry?: boolean };

/**
 * Processes a job under a cap of a dollar a day. By default it is a retry whose files are encoded. Its provider rejects the begin of
 * their upload.
 */
async function aCappedJob({ spentUsd = 0, maxCostUsd, work = transcodeNext, isRetry = true }: CappedJob = {}) {
  const queued = aQueuedJob();
  const { ownerId, jobId } = queued;
  const unpublished = { jobId: aJobId(2), attempt: 1, result: { files, inputSizeBytes: 1 } };
  const job = {
    ...queued,
    request: { ...queued.request, ...(maxCostUsd && { maxCostUsd }) },
    destination: { storageProviderId: 'sp_1', keyTemplate: '{name}' },
    spendingCaps: [{ keyId: 'key-1', usdPerDay: 1 }],
    ...(isRetry && { unpublished }),
  };
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const spending = memorySpendingCounters();
  const counter = { ownerId, jobId, keyId: 'key-1' };
  const others = { [aJobId(3, jobCreatedAt(jobId))]: spentUsd * 1e9 };
  await spending.write(counter, { version: 1, spent: {}, latest: [], reserved: others });
  const download = vi.fn(async () => ({ bytes: sizeBytes }));
  const opened = vi.fn();
  const workspace = { makeDirectory: async () => '/tmp/unpublished', remove: async () => undefined };
  let ids = 0;
  const deps = workerPorts({
    jobs,
    money: { counters: spending },
    files: { download, removeAll: async () => 'complete' },
    openWorkspace: async () => workspace as unknown as Workspace,
    clock,
    openObjectStore: async () => {
      opened((await spending.read(counter)).reserved[jobId]);
      throw new Error('stop here');
    },
    deliveries: { send: async () => undefined },
    newId: () => `id-${++ids}`,
    onUnexpected: () => undefined,
  });
  await work(deps, job, later(900_000));
  return { job: await jobs.get(job), download, opened };
}

it.each([
  ['a function', transcodeNext],
  ['a task of the pool', transcodeInPool],
])('%s rejects a job before it fetches its source, if a cap is used up', async (_, work) => {
  const { job } = await aCappedJob({ spentUsd: 1, work, isRetry: false });
  expect(job).toMatchObject({ state: 'rejected', error: { code: 'COST_LIMIT', retryable: true } });
});

it('a retry that only uploads files is rejected before it fetches them, if a cap is used up', async () => {
  const { job, download } = await aCappedJob({ spentUsd: 1 });
  expect(job).toMatchObject({ state: 'rejected', error: { code: 'COST_LIMIT', retryable: true } });
  expect(download).not.toHaveBeenCalled();
});

it('a retry that only uploads files reserves the cost of that before it begins', async () => {
  const { opened } = await aCappedJob();
  const usd = costOfRepeatedUpload(sizeBytes, workerPorts().money.stage);
  expect(opened.mock.calls).toEqual([[Math.ceil(usd * 1e9)]]);
});

it('a retry that only uploads files is stopped far above its reservation', async () => {
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}', isOutsideAws: true } as const;
  const job = { ...aProcessingJob(), destination, spendingCaps: [{ keyId: 'key-1', usdPerDay: 1 }] };
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const unpublished = { jobId: aJobId(2), attempt: 1, result: { files, inputSizeBytes: 1 } };
  const limits = await admit(workerPorts({ jobs, clock }), job, { unpublished });
  // The transfer to the internet.
  const filesUsd = (sizeBytes / 1e9) * 0.09;
  const usd = filesUsd + costOfRepeatedUpload(sizeBytes, workerPorts().money.stage);
  expect(limits).toEqual({ filesUsd, costLimitUsd: costLimitOfReservation(usd) });
});

it('a retry that only uploads files is rejected if that costs more than its own limit', async () => {
  const { job, download } = await aCappedJob({ maxCostUsd: 0.00001 });
  expect(job).toMatchObject({ state: 'rejected', error: { code: 'COST_LIMIT', retryable: false } });
  expect(download).not.toHaveBeenCalled();
});
