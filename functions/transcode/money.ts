import { transferSeconds, type WorkForecast, type WorkLimits, type WorkPass } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import type { StepsInBucket } from '../../core/jobs/job-result.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import type { JobIn, Unpublished } from '../../core/jobs/record.ts';
import { outputBytesOf } from '../../core/jobs/usage.ts';
import {
  costLimitOfReservation,
  costOfDelay,
  costOfEarlierAttempts,
  costOfRepeatedUpload,
  costOfStoredFiles,
} from '../../core/pricing/cost-limit.ts';
import { dearestUsd, estimateWork, type Range } from '../../core/pricing/estimate.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { stepStorage } from '../../core/pricing/step-storage.ts';
import { requireFreeCaps, reserveJobCost } from '../../core/spending/reserve-cost.ts';
import { requireFittingFiles } from '../../core/worker/outputs.ts';
import type { JobPorts } from '../../core/worker/ports.ts';

/** Fields of the record that limit what the functions of a job may cost. */
export type CostLimits = { costLimitUsd?: number; filesUsd?: number };

/** What is known of the work of a job when it asks for money. */
export type CostForecast =
  /** Nothing: its source is not fetched yet. */
  | 'claimed'
  /** A retry only uploads encoded files to a storage provider. */
  | { unpublished: Unpublished }
  | {
      forecast: { work: WorkForecast; limits: WorkLimits };
      passes: readonly WorkPass[];
      completed: StepsInBucket | undefined;
    };

/**
 * Admits a job before its work: rejects one whose estimate (p90) is above its `maxCostUsd`, or above what its caps leave.
 * Otherwise reserves the estimate in the counters of its caps, with what a slow download has cost. Returns the limits that
 * follow for its functions, which leave enough for its files.
 * @throws JobError `COST_LIMIT`
 */
export async function admit(deps: JobPorts, job: JobIn<'processing'>, forecast: CostForecast): Promise<CostLimits> {
  if (job.request.maxCostUsd === undefined && job.spendingCaps === undefined) return {};
  if (forecast === 'claimed') await requireFreeCaps(deps.money.counters, job);
  else if ('unpublished' in forecast) return admitUpload(deps, job, forecast.unpublished);
  else return admitWork(deps, job, forecast);
  return {};
}

/**
 * Compares the finished files of a job with its limit before their upload. Returns the limit by their actual size.
 * @throws JobError `COST_LIMIT`
 */
export function settle(
  deps: JobPorts,
  job: JobIn<'processing'>,
  outputs: Parameters<typeof requireFittingFiles>[2],
): CostLimits {
  return { filesUsd: requireFittingFiles(deps, job, outputs) };
}

async function admitWork(
  deps: JobPorts,
  job: JobIn<'processing'>,
  { forecast: { work, limits }, passes, completed }: Extract<CostForecast, { passes: object }>,
): Promise<CostLimits> {
  const { maxCostUsd } = job.request;
  const storage = stepStorage(job, readSteps(job.request), deps.money.workers);
  const expected = { steps: work.steps, passes, limits, storage };
  const { usd, breakdown } = estimateWork(expected, deps.money.workers);
  const hasFinishBy = job.request.finishBy !== undefined;
  const dearest =
    limits.speed === 'economy' ? dearestUsd(expected, { forecast: work, hasFinishBy }, deps.money.workers) : 0;
  const compared = { ...usd, p90: Math.max(usd.p90, dearest) };
  if (maxCostUsd !== undefined && compared.p90 > maxCostUsd) throw tooExpensive(compared, maxCostUsd);
  const earlierFilesUsd = costOfStoredFiles(completed?.result.files ?? {}, deps.money.stage, job);
  const filesUsd = breakdown.files + earlierFilesUsd;
  if (job.spendingCaps === undefined) return { filesUsd };
  const expectedMs = expectedMsBefore(limits.inputBytes);
  return { filesUsd, costLimitUsd: await reserve(deps, job, { usd: usd.p90 + earlierFilesUsd, expectedMs }) };
}

async function admitUpload(deps: JobPorts, job: JobIn<'processing'>, { result }: Unpublished): Promise<CostLimits> {
  const { maxCostUsd } = job.request;
  const filesUsd = costOfStoredFiles(result.files, deps.money.stage, job);
  const usd = filesUsd + costOfRepeatedUpload(outputBytesOf(result), deps.money.stage);
  if (maxCostUsd !== undefined && usd > maxCostUsd) throw tooExpensiveUpload(usd, maxCostUsd);
  if (job.spendingCaps === undefined) return { filesUsd };
  const expectedMs = expectedMsBefore(0);
  return { filesUsd, costLimitUsd: await reserve(deps, job, { usd, expectedMs }) };
}

/** Reserves an estimate, with what the job has cost besides. Returns the dollars at which it is stopped. */
async function reserve(
  deps: JobPorts,
  job: JobIn<'processing'>,
  { usd, expectedMs }: { usd: number; expectedMs: number },
): Promise<number> {
  const reservedUsd =
    usd +
    costOfEarlierAttempts(job, deps.money.stage) +
    costOfDelay(job, deps.money.stage, { expectedMs, now: deps.clock.now() });
  await reserveJobCost({ ...deps, spending: deps.money.counters }, job, reservedUsd);
  return costLimitOfReservation(reservedUsd);
}

/** Milliseconds from the claim to the encoding that are no delay yet: some seconds more than an estimate has. */
function expectedMsBefore(inputBytes: number): number {
  return 1000 * (overheadSeconds + transferSeconds(inputBytes));
}

function tooExpensive({ p50, p90 }: Range, maxCostUsd: number): JobError {
  const message =
    `This job is estimated to cost $${p50.toFixed(6)}, up to $${p90.toFixed(6)}; its maxCostUsd is ` +
    `$${maxCostUsd}. Raise it, or choose a smaller frame size, a faster preset or a shorter input`;
  return new JobError('COST_LIMIT', message);
}

function tooExpensiveUpload(usd: number, maxCostUsd: number): JobError {
  const message =
    `The upload of the encoded files is estimated to cost $${usd.toFixed(6)}; the job's maxCostUsd is ` +
    `$${maxCostUsd}. Submit the job again with a higher one`;
  return new JobError('COST_LIMIT', message);
}
