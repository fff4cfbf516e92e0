import { beforeEach, expect, it } from 'vitest';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { recoverLostWorker, type UnfinishedDeps } from '../../../functions/reconcile/unfinished.ts';
import { later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { type MemoryJobTable, memoryJobTable } from '../../memory/job-table.ts';
import { memoryParallelMachine } from '../../memory/parallel-machine.ts';
import { memorySettingsTable } from '../../memory/settings-table.ts';

const job = aParallelJob();
const due = later(400_000);
let jobs: MemoryJobTable;
const parallel = memoryParallelMachine();
let sent: JobRef[];
let ports: UnfinishedDeps;

beforeEach(async () => {
  jobs = memoryJobTable();
  await jobs.write({ job, guard: { absent: true } });
  parallel.running.clear();
  sent = [];
  ports = {
    jobs,
    parallel,
    settings: memorySettingsTable(),
    newId: () => 'id',
    queue: { send: async (ref) => void sent.push(ref) },
    deliveries: { start: async () => 'started' },
    clock: { now: () => due, sleep: async () => undefined },
    maxQueueMs: 86_400_000,
    onDeliveryStartFailed: () => undefined,
  };
});

it('leaves a job alone whose state machine runs, and looks again in five minutes', async () => {
  parallel.running.set('parallel-1', undefined);
  expect(await recoverLostWorker(ports, job)).toBe('still-running');
  expect(await jobs.get(job)).toEqual({ ...job, dueAt: later(700_000).toISOString() });
  expect(sent).toEqual([]);
});

it('undoes nothing that a part notes while it looks', async () => {
  const isRunning = async () =>
    (await jobs.recordChunkProgress({ ...job, chunk: 0, percent: 90 })) === 'recorded';
  expect(await recoverLostWorker({ ...ports, parallel: { isRunning } }, job)).toBe('superseded');
  expect(await jobs.get(job)).toMatchObject({ chunkProgress: { 0: 90 } });
});

it('tries a job again whose state machine has ended without an end of the job', async () => {
  expect(await recoverLostWorker(ports, job)).toBe('requeued');
  expect(await jobs.get(job)).toMatchObject({ state: 'queued' });
  expect(sent).toHaveLength(1);
});
