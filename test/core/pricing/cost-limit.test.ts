import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { JobError } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import { failureOutcome } from '../../../core/jobs/outcome.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { cancel, failOrReject } from '../../../core/jobs/termination.ts';
import { claim, requeue } from '../../../core/jobs/transitions.ts';
import { nanoUsdOf } from '../../../core/jobs/usage.ts';
import { affordableMs, findExceededCost } from '../../../core/pricing/cost-limit.ts';
import { costOfEndedJob } from '../../../core/pricing/cost-of-job.ts';
import { requireFittingFiles } from '../../../core/worker/outputs.ts';
import { costSignal } from '../../../core/worker/worker-context.ts';
import { aTakenOverJob } from '../../builders/jobs/delegated-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const stage = { architecture: 'arm64', memoryMb: 3008, retentionDays: 30 } as const;

function limited(job: JobIn<'processing'>, maxCostUsd: number): JobIn<'processing'> {
  return { ...job, request: { ...job.request, maxCostUsd } };
}

/** The cost of a job that ends so long after its claim. */
function costAfter(job: JobIn<'processing'>, ms: number): number {
  const now = new Date(Date.parse(job.claimedAt) + ms);
  const ended = cancel(job, { now, webhookTarget: null, deliveryId: 'delivery-1' }).job;
  const workerMs = (job.functionUse?.workerMs ?? 0) + ms;
  const functionUse = { workerMs, taskMs: 0, tasks: 0, executions: 0 };
  return nanoUsdOf(costOfEndedJob({ ...ended, functionUse }, stage)) / 1e9;
}

it.each([0.0005, 0.002, 0.02])('a worker runs until its job has cost %d dollars', (maxCostUsd) => {
  const job = limited(aProcessingJob(), maxCostUsd);
  const ms = affordableMs(job, stage);
  expect(costAfter(job, ms)).toBeLessThanOrEqual(maxCostUsd + 1e-8);
  expect(costAfter(job, ms + 10)).toBeGreaterThan(maxCostUsd);
});

it('a job is stopped at the lower of its own limit and that of its reservation', () => {
  const job = limited(aProcessingJob(), 0.002);
  const reserved = { ...aProcessingJob(), costLimitUsd: 0.002 };
  expect(affordableMs(reserved, stage)).toBe(affordableMs(job, stage));
  expect(affordableMs({ ...job, costLimitUsd: 0.001 }, stage)).toBeLessThan(affordableMs(job, stage));
  expect(affordableMs({ ...job, costLimitUsd: 0.003 }, stage)).toBe(affordableMs(job, stage));
  const message = expect.stringContaining('$0.002000, over twice what was reserved for it');
  const delegated = { ...aParallelJob(), taskMs: { 0: 60_000 } };
  expect(findExceededCost({ ...delegated, costLimitUsd: 0.002 }, stage, later(60_000))).toMatchObject({
    code: 'COST_LIMIT',
    message,
  });
});

it('an attempt that is repeated has no limit until its cost is reserved again', () => {
  const queued = requeue({ ...aProcessingJob(), costLimitUsd: 0.002 }, later(600_000)).job;
  expect(queued).not.toHaveProperty('costLimitUsd');
});

it('a job without a limit, or with a high one, is not stopped', () => {
  expect(affordableMs(aProcessingJob(), stage)).toBe(Number.POSITIVE_INFINITY);
  expect(affordableMs(limited(aProcessingJob(), 1), stage)).toBe(Number.POSITIVE_INFINITY);
});

it('the cost of lost attempts reduces the limit', () => {
  const first = limited(aProcessingJob(), 0.002);
  const queued = requeue(first, later(600_000)).job;
  const second = claim(queued, 'lease-2', later(700_000)).job;
  const lostMs = queued.functionUse?.workerMs ?? 0;
  expect(lostMs).toBeGreaterThan(15_000);
  expect(affordableMs(first, stage) - affordableMs(second, stage)).toBeGreaterThanOrEqual(lostMs);
});

it('a limit that is spent leaves no time', () => {
  expect(affordableMs(limited(aProcessingJob(), 1e-9), stage)).toBe(0);
});

it('the chunk tasks of a job exceed its limit together', () => {
  const delegated = (seconds: number) =>
    limited({ ...aParallelJob(), taskMs: { 0: seconds * 1_000, 1: seconds * 1_000 } }, 0.002);
  expect(findExceededCost(delegated(10), stage, later(60_000))).toBeUndefined();
  expect(findExceededCost(delegated(30), stage, later(60_000))).toMatchObject({
    code: 'COST_LIMIT',
    retryable: false,
    message: expect.stringContaining('$0.002'),
  });
});

it('the functions of a job leave enough of its limit for its files', () => {
  const job = limited(aProcessingJob(), 0.02);
  const rest = limited(aProcessingJob(), 0.005);
  expect(affordableMs({ ...job, filesUsd: 0.015 }, stage)).toBe(affordableMs(rest, stage));
  const delegated = limited({ ...aParallelJob(), taskMs: { 0: 60_000 } }, 0.02);
  expect(findExceededCost(delegated, stage, later(60_000))).toBeUndefined();
  expect(findExceededCost({ ...delegated, filesUsd: 0.019 }, stage, later(60_000))).toMatchObject({
    code: 'COST_LIMIT',
  });
  expect(requeue({ ...job, filesUsd: 0.015 }, later(600_000)).job).not.toHaveProperty('filesUsd');
});

it('a Fargate task runs for hours until its job has cost its limit', () => {
  const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true };
  const job = limited(aTakenOverJob(), 1);
  const ms = affordableMs(job, { ...stage, fargate });
  expect(ms).toBeGreaterThan(5 * 3_600_000);
  const end = (after: number) => new Date(Date.parse(job.claimedAt) + after);
  const exceeded = (after: number) =>
    findExceededCost({ ...job, updatedAt: end(after).toISOString() }, { ...stage, fargate }, end(after));
  expect(exceeded(ms)).toBeUndefined();
  expect(exceeded(ms + 1_000)).toMatchObject({ code: 'COST_LIMIT' });
});

it('the worker of a job without a limit reckons no prices', () => {
  const unpriced = new Proxy(stage, {
    get: () => {
      throw new Error('A price is read');
    },
  });
  const job = aProcessingJob();
  expect(findExceededCost(job, unpriced, later(60_000))).toBeUndefined();
  const deps = workerPorts({ money: { stage: unpriced }, clock: aVirtualClock(later(60_000)) });
  expect(costSignal(deps, job, new AbortController().signal)).toBeUndefined();
  expect(requireFittingFiles(deps, job, [])).toBe(0);
});

it('a job that was rejected for its cost is not billed', () => {
  const end = { now: later(60_000), webhookTarget: null, deliveryId: 'd' };
  const rejected = (error: JobError) =>
    costOfEndedJob(failOrReject(aProcessingJob(), failureOutcome(error, 'probing'), end).job, stage);
  expect(nanoUsdOf(rejected(new JobError('INPUT_UNREACHABLE', 'no')))).toBeGreaterThan(0);
  expect(rejected(new JobError('COST_LIMIT', 'no'))).toEqual({});
});
