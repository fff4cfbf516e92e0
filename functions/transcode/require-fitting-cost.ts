import { JobError } from '../../core/errors.ts';
import { estimateJob } from '../../core/pricing/estimate.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import type { EncodeJobDeps, WorkerContext } from '../worker/worker-deps.ts';
import type { FetchedInputs } from './fetch-inputs.ts';

/**
 * Rejects a job whose estimate is above its `maxCostUsd`, before anything is encoded.
 * @throws JobError `COST_LIMIT`
 */
export function requireFittingCost(
  { pricedWorkers }: Pick<EncodeJobDeps, 'pricedWorkers'>,
  { job }: Pick<WorkerContext, 'job'>,
  { steps, fetched }: { steps: readonly Step[]; fetched: Pick<FetchedInputs, 'inputs' | 'assets'> },
): void {
  const { maxCostUsd, speed = 'standard' } = job.request;
  if (maxCostUsd === undefined) return;
  const { usd } = estimateJob({ ...fetched, steps, speed }, pricedWorkers);
  if (usd.p90 <= maxCostUsd) return;
  const message =
    `This job is estimated to cost $${usd.p50.toFixed(6)}, up to $${usd.p90.toFixed(6)}; its maxCostUsd is ` +
    `$${maxCostUsd}. Raise it, or choose a smaller frame size, a faster preset or a shorter input`;
  throw new JobError('COST_LIMIT', message);
}
