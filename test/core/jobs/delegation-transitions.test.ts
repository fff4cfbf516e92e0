import { describe, expect, it } from 'vitest';
import { extendExecutionCheck, takeOverJob } from '../../../core/jobs/execution-transitions.ts';
import { functionUseUntil } from '../../../core/jobs/function-use.ts';
import { jobRecordSchema } from '../../../core/jobs/record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claim, heartbeat, requeue } from '../../../core/jobs/transitions.ts';
import { guardHolds } from '../../../lab/simulation/memory/guard-holds.ts';
import { aDelegatedJob, aTakenOverJob } from '../../builders/jobs/delegated-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';

const claimedMs = Date.parse(aProcessingJob().claimedAt) - later(0).getTime();
const workerMs = 6_000 - claimedMs;
const nothing = { taskMs: 0, tasks: 0 };
const termination = { now: later(100_000), webhookTarget: null, deliveryId: 'delivery-1' };

describe('a delegated job', () => {
  it('is checked soon, says why it needs another worker, and needs no permit of long jobs', () => {
    const job = aDelegatedJob({ queue: 'long' });
    expect(jobRecordSchema.parse(job)).toEqual(job);
    expect(job).toMatchObject({
      dueAt: later(46_000).toISOString(),
      chunking: { chunks: 1, reason: 'Another worker encodes it' },
      otherWorker: { name: 'fargate', reason: 'Another worker encodes it' },
    });
    expect(job).not.toHaveProperty('queue');
  });

  it('is checked again in five minutes while its execution runs', () => {
    const { job } = extendExecutionCheck(aDelegatedJob(), later(60_000));
    expect(job).toEqual({ ...aDelegatedJob(), dueAt: later(360_000).toISOString() });
  });

  it('counts its worker until the delegation, and its execution', () => {
    const expected = { workerMs, ...nothing, executions: 1 };
    expect(functionUseUntil(aDelegatedJob(), later(900_000))).toEqual(expected);
  });

  it('is requeued with the reason, and without its execution', () => {
    const { job } = requeue(aDelegatedJob(), later(900_000));
    expect(job).toMatchObject({ otherWorker: aDelegatedJob().otherWorker });
    expect(job).not.toHaveProperty('delegation');
    expect(claim(job, 'lease-2', later(901_000)).job).not.toHaveProperty('delegation');
  });
});

describe('a task', () => {
  it('takes a job over once: a second task finds another lease', () => {
    const delegated = aDelegatedJob();
    const [first, second] = ['one', 'other'].map((leaseId) => takeOverJob(delegated, { leaseId, now: later(60_000) }));
    expect(guardHolds(first?.guard ?? { absent: true }, delegated)).toBe(true);
    expect(guardHolds(second?.guard ?? { absent: true }, first?.job)).toBe(false);
  });

  it('takes no job that was not delegated', () => {
    expect(() => takeOverJob(aProcessingJob(), { leaseId: 'one', now: later(1) })).toThrow('not delegated');
  });

  it('renews its lease for five minutes once less than half of it is left', () => {
    const { job } = heartbeat(aTakenOverJob(), { stage: 'transcoding', progress: 50, now: later(220_000) });
    expect(job.dueAt).toBe(later(520_000).toISOString());
  });

  it('counts from its takeover; a lost one until the last heartbeat that it can have made', () => {
    const use = functionUseUntil(aTakenOverJob(), later(90_000));
    expect(use).toEqual({ workerMs, ...nothing, executions: 1, fargateMs: 30_000, fargateTasks: 1 });
    expect(functionUseUntil(aTakenOverJob(), later(900_000)).fargateMs).toBe(150_000);
  });

  it('of a second attempt adds up with that of the first', () => {
    const first = requeue(aTakenOverJob(), later(900_000)).job;
    const again = claim(first, 'lease-2', later(901_000)).job;
    const running = {
      ...again,
      delegation: { worker: 'fargate' as const, execution: 'other-2', hasStarted: true as const },
    };
    expect(functionUseUntil(running, later(911_000))).toMatchObject({
      fargateMs: 160_000,
      fargateTasks: 2,
      executions: 2,
    });
  });

  it('leaves files of a cancelled job for sixteen minutes, however long ago it began', () => {
    const { job } = cancel(aTakenOverJob(), { ...termination, now: later(36_000_000) });
    expect(job.sweepAt).toBe(later(36_960_000).toISOString());
  });
});
