import { describe, expect, it } from 'vitest';
import { durations } from '../../../core/jobs/durations.ts';
import { delegateToExecution, extendExecutionCheck } from '../../../core/jobs/execution-transitions.ts';
import { functionUseUntil } from '../../../core/jobs/function-use.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { abandon, cancel } from '../../../core/jobs/termination.ts';
import { claim, postpone, requeue } from '../../../core/jobs/transitions.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';

const termination = (ms: number) => ({ now: later(ms), webhookTarget: null, deliveryId: 'delivery-1' });
const claimedMs = Date.parse(aProcessingJob().claimedAt) - later(0).getTime();
const leaseEndMs = claimedMs + durations.leaseMs;
const error = { code: 'WORKER_LOST', message: 'lost', stage: 'transcoding', retryable: true } as const;

it('a worker counts from its claim', () => {
  expect(functionUseUntil(aProcessingJob(), later(claimedMs + 4_500))).toEqual({
    workerMs: 4_500,
    taskMs: 0,
    tasks: 0,
    executions: 0,
  });
});

it('a lost worker counts until the last heartbeat that it can have made', () => {
  const { job } = abandon(aProcessingJob(), error, termination(leaseEndMs + 600_000));
  expect(job.functionUse?.workerMs).toBe(leaseEndMs - 20_000 - claimedMs);
});

it('a lost worker counts no longer if reconcile postpones its job', () => {
  const { job } = postpone(aProcessingJob(), later(leaseEndMs + 5_000));
  expect(functionUseUntil(job, later(leaseEndMs + 60_000)).workerMs).toBe(leaseEndMs - 20_000 - claimedMs);
});

it('the worker of a cancelled job counts until the heartbeat at which it stops', () => {
  const { job } = cancel(aProcessingJob(), termination(claimedMs + 1_000));
  expect(job.functionUse?.workerMs).toBe(3_000);
});

it('attempts add up', () => {
  const requeued = requeue(aProcessingJob(), later(leaseEndMs + 1)).job;
  const lostMs = requeued.functionUse?.workerMs ?? 0;
  const again = claim(requeued, 'lease-2', later(100_000)).job;
  expect(functionUseUntil(again, later(107_000)).workerMs).toBe(lostMs + 7_000);
});

it('a worker that has delegated its job counts until it named the execution, and the tasks by their own times', () => {
  const delegated: JobIn<'processing'> = { ...aParallelJob(), taskMs: { 0: 30_000, 1: 31_000, join: 2_000 } };
  const workerMs = 5_000 - claimedMs;
  const expected = { workerMs, taskMs: 63_000, tasks: 3, executions: 1 };
  expect(functionUseUntil(delegated, later(300_000))).toEqual(expected);
  const checked = extendExecutionCheck(delegated, later(300_000)).job;
  expect(delegateToExecution(checked, later(310_000)).job.functionUse?.workerMs).toBe(workerMs);
  const requeued = requeue(checked, later(900_000)).job;
  expect(requeued.functionUse).toEqual(expected);
  expect(requeued).not.toHaveProperty('taskMs');
});

describe('tasks that run when their job is stopped', () => {
  const claimedAt = Date.parse(aProcessingJob().claimedAt);
  const running: JobIn<'processing'> = {
    ...aParallelJob(),
    chunkProgress: { 0: 100, 1: 40, 2: 0, 3: 10 },
    taskMs: { 0: 30_000, 1: 20_000, '1-second': 4_000, 2: 0, 3: 9_000 },
    taskBeats: { 1: 50, '1-second': 57, 2: 59 },
  };
  /** One has recorded nothing for longer than a running task; each stops after two seconds. The fourth has ended. */
  const taskMs = 63_000 + 6_000 + 3_000 + 1_000 + 3 * 2_000;

  it.each([
    ['is cancelled', (now: Date) => cancel(running, { ...termination(0), now }).job],
    ['fails', (now: Date) => abandon(running, error, { ...termination(0), now }).job],
    ['is requeued', (now: Date) => requeue(running, now).job],
  ])('count until they stop, if it %s', (_, stop) => {
    const { functionUse } = stop(new Date(claimedAt + 60_000));
    expect(functionUse).toMatchObject({ taskMs, tasks: 5, executions: 1 });
  });

  it('count by their records for the limit of their job', () => {
    expect(functionUseUntil(running, later(60_000)).taskMs).toBe(63_000);
  });
});
