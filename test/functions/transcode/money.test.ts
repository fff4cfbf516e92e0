import type { Workspace } from '@media-jobs/video/ffmpeg';
import { anAudioStream, aProbe, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { jobCreatedAt } from '../../../core/jobs/job-id.ts';
import type { StepsInBucket } from '../../../core/jobs/job-result.ts';
import { failureOutcome } from '../../../core/jobs/outcome.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { estimateJob } from '../../../core/pricing/estimate.ts';
import { emptySpendingCounter, type SpendingCounters } from '../../../core/spending/spending-counter.ts';
import { LeaseLostError } from '../../../core/worker/worker-context.ts';
import { decide, forecastJob } from '../../../functions/transcode/forecast.ts';
import { beginSteps } from '../../../functions/transcode/graph-state.ts';
import { admit } from '../../../functions/transcode/money.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';
import { somePricedWorkers } from '../../builders/pricing/priced-workers.ts';

const durationSeconds = 600;
const probe = aProbe(
  [aVideoStream({ durationSeconds, width: 1920, height: 1080 }), anAudioStream({ durationSeconds })],
  { durationSeconds, sizeBytes: 200e6 },
);
const fetched = { inputs: [{ path: '/tmp/a/input', probe }], assets: [{}] };
const steps = readSteps(aProcessingJob().request);

async function check(
  maxCostUsd: number | undefined,
  overrides: Partial<JobIn<'processing'>> = {},
  { spending, isHeld = true }: { spending?: SpendingCounters; isHeld?: boolean } = {},
): Promise<unknown> {
  return admitted(maxCostUsd, overrides, { spending, isHeld }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
}

async function admitted(
  maxCostUsd: number | undefined,
  overrides: Partial<JobIn<'processing'>>,
  { spending, isHeld = true }: { spending?: SpendingCounters | undefined; isHeld?: boolean },
) {
  const job = { ...aProcessingJob(), ...overrides };
  const limited = { ...job, request: { ...job.request, ...(maxCostUsd && { maxCostUsd }) } };
  const deps = workerPorts({
    jobs: { ...memoryJobTable(), get: async () => (isHeld ? limited : undefined) },
    ...(spending && { money: { counters: spending } }),
  });
  return admit(deps, limited, await workOf(limited));
}

/** The work of the job, as its worker decides it. */
async function workOf(job: JobIn<'processing'>, completed?: StepsInBucket) {
  const deps = workerPorts();
  const context = workerContext({ job });
  const workspace = {} as Workspace;
  const all = { ...fetched, downloaded: [], inputSizeBytes: probe.sizeBytes, canCompare: true };
  const remaining = { steps, fetched: all, workspace };
  const forecast = await forecastJob(deps, context, remaining);
  const passes = decide(deps, context, { forecast, state: beginSteps(remaining) });
  if ('reject' in passes) throw passes.reject;
  return { forecast, passes, completed };
}

it('an estimate above the limit of the job rejects it, with both figures', async () => {
  const error = await check(0.001);
  expect(error).toMatchObject({ code: 'COST_LIMIT', retryable: false });
  const [usual, high, limit] = String(error).match(/\$([\d.]+\d)/g) ?? [];
  expect(limit).toBe('$0.001');
  expect(Number(high?.slice(1))).toBeGreaterThan(Number(usual?.slice(1)));
  expect(failureOutcome(error, 'probing').state).toBe('rejected');
  expect(failureOutcome(error, 'transcoding').state).toBe('failed');
});

it('the p90 of the estimate decides', async () => {
  const [, high = ''] = String(await check(0.001)).match(/up to \$([\d.]+\d)/) ?? [];
  expect(await check(Number(high) * 0.99)).toBeDefined();
  expect(await check(Number(high) * 1.01)).toBeUndefined();
});

const atProvider = (isOutsideAws: boolean) => ({
  isForProvider: true,
  storage: () => ({ isForProvider: true, isOutsideAws, days: 0 }),
});

it('a job is not rejected for the storage of files that a storage provider gets', async () => {
  const highOf = async (overrides: Partial<JobIn<'processing'>>) =>
    Number(String(await check(0.001, overrides)).match(/up to \$([\d.]+\d)/)?.[1]);
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
  const high = await highOf({ destination });
  expect(high).toBeLessThan(await highOf({}));
  expect(await check(high * 1.01)).toBeDefined();
  expect(await check(high * 1.01, { destination })).toBeUndefined();
  const estimate = estimateJob({ ...fetched, steps, speed: 'standard', ...atProvider(false) }, somePricedWorkers());
  expect(estimate.breakdown.files).toBe(0);
});

it('a job is rejected for the transfer to a storage provider outside AWS', async () => {
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
  const highOf = async (chosen: JobIn<'processing'>['destination']) =>
    Number(String(await check(0.001, { destination: chosen })).match(/up to \$([\d.]+\d)/)?.[1]);
  const inside = await highOf(destination);
  const outside = await highOf({ ...destination, isOutsideAws: true });
  const { breakdown } = estimateJob({ ...fetched, steps, speed: 'standard', ...atProvider(true) }, somePricedWorkers());
  expect(breakdown.files).toBeGreaterThan(0.001);
  expect(outside - inside).toBeCloseTo(breakdown.files, 5);
});

it('a job with a limit leaves enough of it for the files of its estimate, and those of its completed steps', async () => {
  const request = { ...aProcessingJob().request, maxCostUsd: 1 };
  const filesOf = async (differences: Partial<JobIn<'processing'>>, files = {}) => {
    const completed = { count: 0, intermediates: {}, result: { files, inputSizeBytes: 1 } };
    const job = { ...aProcessingJob(), request, ...differences };
    const { filesUsd = 0, ...others } = await admit(workerPorts(), job, await workOf(job, completed));
    expect(others).toEqual({});
    return filesUsd;
  };
  const { breakdown } = estimateJob({ ...fetched, steps, speed: 'standard' }, somePricedWorkers());
  expect(await filesOf({})).toBeCloseTo(breakdown.files, 12);
  const earlier = { first: { ...aCompletedJob().files.output, size_mbytes: 1_000 } };
  // A gigabyte for 30 days.
  expect((await filesOf({}, earlier)) - breakdown.files).toBeCloseTo(0.0233, 3);
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
  expect(await filesOf({ destination }, earlier)).toBe(0);
});

it('a job without a limit is not estimated', async () => {
  expect(await check(undefined)).toBeUndefined();
});

describe('under a cap', () => {
  const ref = aProcessingJob();
  const withCap = (usdPerDay: number) => ({ spendingCaps: [{ keyId: 'key-1', usdPerDay }] });
  const counter = { ownerId: ref.ownerId, jobId: ref.jobId, keyId: 'key-1' };

  it('the job is stopped at twice its reservation and a cent', async () => {
    const spending = memorySpendingCounters();
    const limits = await admitted(undefined, withCap(10), { spending });
    const { reserved } = await spending.read(counter);
    const costLimitUsd = expect.closeTo((2 * (reserved[ref.jobId] ?? 0)) / 1e9 + 0.01, 6);
    expect(limits).toEqual({ costLimitUsd, filesUsd: expect.any(Number) });
  });

  it('the p90 of the estimate is reserved, once for all attempts', async () => {
    const spending = memorySpendingCounters();
    expect(await check(undefined, withCap(10), { spending })).toBeUndefined();
    const { reserved } = await spending.read(counter);
    const [, high = ''] = String(await check(0.001)).match(/up to \$([\d.]+\d)/) ?? [];
    expect((reserved[ref.jobId] ?? 0) / 1e9).toBeCloseTo(Number(high), 5);
    const again = {
      ...withCap(10),
      attempt: 2,
      functionUse: { workerMs: 60_000, taskMs: 0, tasks: 0, executions: 0 },
    };
    expect(await check(undefined, again, { spending })).toBeUndefined();
    const after = (await spending.read(counter)).reserved;
    expect(Object.keys(after)).toEqual([ref.jobId]);
    // Of the lost attempt: a minute of 3,008 MB on arm64.
    expect((after[ref.jobId] ?? 0) - (reserved[ref.jobId] ?? 0)).toBeGreaterThan(2_300_000);
  });

  it('a slow download is reserved too, so that it does not stop the job', async () => {
    const limitAfter = async (minutes: number) => {
      const claimedAt = new Date(Date.parse(ref.claimedAt) - minutes * 60_000).toISOString();
      const claim = { ...withCap(10), claimedAt, updatedAt: claimedAt };
      const spending = memorySpendingCounters();
      return (await admitted(undefined, claim, { spending })).costLimitUsd ?? 0;
    };
    // Of 3,008 MB on arm64; the estimate has the first seconds.
    const minuteUsd = 0.0023;
    expect((await limitAfter(6)) - (await limitAfter(0))).toBeGreaterThan(2 * 5.9 * minuteUsd);
    expect(await limitAfter(0.09)).toBe(await limitAfter(0));
  });

  it('a job that does not fit beside what others have reserved is rejected, and may be retried later', async () => {
    const spending = memorySpendingCounters();
    const other = {
      version: 1,
      spent: {},
      latest: [],
      reserved: { [aJobId(2, jobCreatedAt(ref.jobId))]: 9_999_000_000 },
    };
    await spending.write(counter, other);
    const error = await check(undefined, withCap(10), { spending });
    expect(error).toMatchObject({ code: 'COST_LIMIT', retryable: true });
    expect(String(error)).toMatch(/usdPerDay is \$10: \$9\.999000 are spent or reserved/);
    expect(failureOutcome(error, 'probing').state).toBe('rejected');
    expect(await spending.read(counter)).toEqual(other);
  });

  it('a worker that has lost its lease reserves nothing', async () => {
    const spending = memorySpendingCounters();
    const error = await check(undefined, withCap(10), { spending, isHeld: false });
    expect(error).toBeInstanceOf(LeaseLostError);
    expect(await spending.read(counter)).toEqual(emptySpendingCounter);
  });
});

it('a job that takes too long for a function is estimated as a Fargate task', () => {
  const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true, maxHours: 12 };
  // ProRes is not split.
  const steps = readSteps({
    ...aProcessingJob().request,
    output: { format: 'mov' },
    recipe: { name: 'transcode', codec: 'prores' },
  });
  const estimate = (overrides: object) =>
    estimateJob({ ...fetched, steps, speed: 'standard' }, somePricedWorkers({ slowness: 5, ...overrides }));
  expect(() => estimate({})).toThrow(/a worker has 14\.\d left/);
  const onFargate = estimate({ fargate });
  expect(onFargate.breakdown.fargate).toBeGreaterThan(onFargate.breakdown.transcoding);
  expect(estimate({ fargate, slowness: 0.1 }).breakdown.fargate).toBe(0);
});
