import type { CostTable } from '../../core/cost-model/cost-table.ts';
import { JobError } from '../../core/errors.ts';
import { costLimitOfReservation, costOfDelay, costOfEarlierAttempts } from '../../core/pricing/cost-limit.ts';
import { estimateJob, type Range } from '../../core/pricing/estimate.ts';
import { secondsBeforeEncoding } from '../../core/pricing/expected-use.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import { type ReserveCostDeps, reserveJobCost } from '../spending/reserve-cost.ts';
import type { EncodeJobDeps, WorkerContext } from '../worker/worker-deps.ts';
import type { Attempt } from './attempt.ts';
import type { FetchedInputs } from './fetch-inputs.ts';

type FittingCostDeps = ReserveCostDeps & Pick<EncodeJobDeps, 'pricedWorkers' | 'pricedStage' | 'clock'>;

export type CostContext = Pick<WorkerContext, 'job'> & Pick<Attempt<EncodeJobDeps>, 'limitCost'>;

/**
 * Rejects a job whose estimate (p90) is above its `maxCostUsd`, or above what its caps leave, before anything is encoded.
 * Otherwise reserves the estimate in the counters of its caps, with what a slow download has cost, and limits the cost of
 * the job to what follows from it.
 * @throws JobError `COST_LIMIT`
 */
export async function requireFittingCost(
  deps: FittingCostDeps,
  { job, limitCost }: CostContext,
  work: {
    steps: readonly Step[];
    from?: number | undefined;
    fetched: Pick<FetchedInputs, 'inputs' | 'assets'>;
    table: CostTable;
  },
): Promise<void> {
  const { maxCostUsd, speed = 'standard' } = job.request;
  if (maxCostUsd === undefined && job.spendingCaps === undefined) return;
  const { fetched, ...planned } = work;
  const isForProvider = job.destination !== undefined;
  const { usd } = estimateJob({ ...fetched, ...planned, speed, isForProvider }, deps.pricedWorkers);
  if (maxCostUsd !== undefined && usd.p90 > maxCostUsd) throw tooExpensive(usd, maxCostUsd);
  if (job.spendingCaps === undefined) return;
  const reservedUsd =
    usd.p90 +
    costOfEarlierAttempts(job, deps.pricedStage) +
    costOfDelay(job, deps.pricedStage, { expectedMs: expectedMsBefore(fetched), now: deps.clock.now() });
  await reserveJobCost(deps, job, reservedUsd);
  limitCost(costLimitOfReservation(reservedUsd));
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
