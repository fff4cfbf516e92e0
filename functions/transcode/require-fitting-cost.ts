import type { CostTable } from '@media-jobs/video/cost-model';
import { JobError } from '@media-jobs/video/errors';
import type { Step } from '@media-jobs/video/recipes';
import type { JobIn, Unpublished } from '../../core/jobs/record.ts';
import { outputBytesOf } from '../../core/jobs/usage.ts';
import {
  costLimitOfReservation,
  costOfDelay,
  costOfEarlierAttempts,
  costOfStoredFiles,
} from '../../core/pricing/cost-limit.ts';
import { estimateJob, type Range } from '../../core/pricing/estimate.ts';
import { secondsBeforeEncoding } from '../../core/pricing/expected-use.ts';
import { costOfRepeatedUpload } from '../../core/pricing/upload-cost.ts';
import { type ReserveCostDeps, reserveJobCost } from '../spending/reserve-cost.ts';
import type { CompletedOutputs } from '../worker/step-outputs.ts';
import type { EncodeJobDeps, WorkerContext } from '../worker/worker-deps.ts';
import type { Attempt } from './attempt.ts';
import type { FetchedInputs } from './fetch-inputs.ts';

type FittingCostDeps = ReserveCostDeps & Pick<EncodeJobDeps, 'pricedWorkers' | 'pricedStage' | 'clock'>;

export type CostContext = Pick<WorkerContext, 'job'> & Pick<Attempt<EncodeJobDeps>, 'limitCost'>;

/**
 * Rejects a job whose estimate (p90) is above its `maxCostUsd`, or above what its caps leave, before anything is encoded.
 * Otherwise reserves the estimate in the counters of its caps, with what a slow download has cost, and limits the cost of
 * its functions to what follows from it and leaves enough for its files. Returns the job with these limits.
 * @throws JobError `COST_LIMIT`
 */
export async function requireFittingCost(
  deps: FittingCostDeps,
  { job, limitCost }: CostContext,
  work: {
    steps: readonly Step[];
    completed: CompletedOutputs | undefined;
    fetched: Pick<FetchedInputs, 'inputs' | 'assets'>;
    table: CostTable;
  },
): Promise<JobIn<'processing'>> {
  const { maxCostUsd, speed = 'standard' } = job.request;
  if (maxCostUsd === undefined && job.spendingCaps === undefined) return job;
  const { fetched, completed, ...planned } = work;
  const isForProvider = job.destination !== undefined;
  const isOutsideAws = job.destination?.isOutsideAws;
  const from = completed?.count;
  const estimate = estimateJob(
    { ...fetched, ...planned, from, speed, isForProvider, isOutsideAws },
    deps.pricedWorkers,
  );
  const { usd, breakdown } = estimate;
  if (maxCostUsd !== undefined && usd.p90 > maxCostUsd) throw tooExpensive(usd, maxCostUsd);
  const earlierFilesUsd = costOfStoredFiles(completed?.result.files ?? {}, deps.pricedStage, job.destination);
  const filesUsd = breakdown.files + earlierFilesUsd;
  const limits =
    job.spendingCaps === undefined
      ? { filesUsd }
      : {
          filesUsd,
          costLimitUsd: await reserve(deps, job, {
            usd: usd.p90 + earlierFilesUsd,
            expectedMs: expectedMsBefore(fetched),
          }),
        };
  limitCost(limits);
  return { ...job, ...limits };
}

/**
 * Does the same for a retry that only uploads encoded files to a storage provider, before they are fetched.
 * @throws JobError `COST_LIMIT`
 */
export async function requireFittingUpload(
  deps: FittingCostDeps,
  { job, limitCost }: CostContext,
  { result }: Unpublished,
): Promise<void> {
  const { maxCostUsd } = job.request;
  if (maxCostUsd === undefined && job.spendingCaps === undefined) return;
  const filesUsd = costOfStoredFiles(result.files, deps.pricedStage, job.destination);
  const usd = filesUsd + costOfRepeatedUpload(outputBytesOf(result), deps.pricedStage);
  if (maxCostUsd !== undefined && usd > maxCostUsd) throw tooExpensiveUpload(usd, maxCostUsd);
  if (job.spendingCaps === undefined) return limitCost({ filesUsd });
  const expectedMs = expectedMsBefore({ inputs: [] });
  limitCost({ filesUsd, costLimitUsd: await reserve(deps, job, { usd, expectedMs }) });
}

/** Reserves an estimate, with what the job has cost besides. Returns the dollars at which it is stopped. */
async function reserve(
  deps: FittingCostDeps,
  job: JobIn<'processing'>,
  { usd, expectedMs }: { usd: number; expectedMs: number },
): Promise<number> {
  const reservedUsd =
    usd +
    costOfEarlierAttempts(job, deps.pricedStage) +
    costOfDelay(job, deps.pricedStage, { expectedMs, now: deps.clock.now() });
  await reserveJobCost(deps, job, reservedUsd);
  return costLimitOfReservation(reservedUsd);
}

function expectedMsBefore({ inputs }: Pick<FetchedInputs, 'inputs'>): number {
  return 1000 * secondsBeforeEncoding(inputs.reduce((sum, { probe }) => sum + probe.sizeBytes, 0));
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
