import { expect, it } from 'vitest';
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
