import { expect, it } from 'vitest';
import { delegateToWorker, requeueForNextStep } from '../../../core/jobs/execution-transitions.ts';
import { chunkGroup } from '../../../core/jobs/message-groups.ts';
import { limitOfBatches, partsOfLimit, workersOfLongJobs } from '../../../core/jobs/queues.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { becomeStandard, leaveTask, requeue } from '../../../core/jobs/transitions.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

it('long jobs may hold three quarters of the workers, and of few workers all but one while a short job waits', () => {
  const permits = (shortWaits: boolean) =>
    [1, 2, 3, 4, 5, 8, 1_000].map((workers) => workersOfLongJobs(workers, { shortWaits }));
  expect(permits(true)).toEqual([1, 1, 2, 3, 3, 6, 750]);
  expect(permits(false)).toEqual([1, 2, 3, 3, 3, 6, 750]);
});

it('batches hold at most four fifths, and leave one free wherever there are two', () => {
  expect([1, 2, 3, 4, 5, 10, 1_000].map(limitOfBatches)).toEqual([1, 1, 2, 3, 4, 8, 800]);
});

it.each([2, 3, 4, 8, 10, 1_000, 20_000])('the permits of %i workers are divided without a rest', (workers) => {
  const max = workersOfLongJobs(workers, { shortWaits: false });
  const groups = partsOfLimit('long', { workers, shortWaits: false });
  expect(groups.reduce((sum, limit) => sum + limit.max, 0)).toBe(max);
  expect(groups).toHaveLength(max > 750 ? 80 : Math.min(max, 4));
  expect(Math.max(...groups.map((limit) => limit.max))).toBeLessThanOrEqual(188);
});

it('holders begin with different groups, and each tries all of them', () => {
  const orders = ['a#1', 'b#1', 'c#1', 'd#1', 'e#1', 'f#1'].map((holder) =>
    partsOfLimit('long', { workers: 1_000, shortWaits: true }, holder).map(({ limit }) => limit),
  );
  expect(new Set(orders.map(([first]) => first)).size).toBeGreaterThan(2);
  for (const order of orders) expect(order.toSorted()).toEqual(['#long-0', '#long-1', '#long-2', '#long-3']);
});

it.each([
  ['of all batches on a stage of one team', { maxRunningChunks: undefined, maxBatchChunks: 4 }, 4],
  ['of an owner with a limit', { maxRunningChunks: 10 }, 8],
])('the chunks of a batch take the message groups %s only', (_, limits, count) => {
  const indexes = Array.from({ length: 50 }, (_, index) => index);
  const groups = (jobId: string, batch?: object) =>
    indexes.map((index) => chunkGroup({ ownerId: 'a', jobId, batch }, index, limits));
  expect(new Set([...groups('0-000001', {}), ...groups('0-000002', {})]).size).toBe(count);
  expect(new Set(groups('0-000001')).size).toBe(limits.maxRunningChunks ?? 50);
});

const now = later(60_000);
const batch = { id: 'batch-1', at: 0 };
const task = { execution: 'job-1', otherWorker: { name: 'fargate' as const, reason: 'memory' }, now };

it.each<[string, (job: JobIn<'processing'>) => JobIn<'queued'>]>([
  ['between steps', (job) => requeueForNextStep({ ...job, queue: 'batch' }, { count: 1 } as never, now).job],
  ['after a lost task', (job) => requeue(delegateToWorker({ ...job, queue: 'batch' }, task).job, now).job],
  ['after the pool', (job) => leaveTask({ ...job, queue: 'economy' }, { isInterrupted: false, now }).job],
  ['that the pool never took', () => becomeStandard({ ...aQueuedJob(), batch, queue: 'economy' }, now).job],
])('a job of a batch waits behind other jobs %s', (_, waiting) => {
  expect(waiting({ ...aProcessingJob(), batch }).queue).toBe('batch');
});
