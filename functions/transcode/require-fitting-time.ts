import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { spread, wallSeconds } from '../../core/cost-model/processors.ts';
import { JobError } from '../../core/errors.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../worker/worker-deps.ts';

/**
 * Rejects a single pass that would run into the deadline, before it has cost a quarter of an hour.
 * @param reason why the work is not split into chunks
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTime(
  { processors, clock }: Pick<TranscodeDeps, 'processors' | 'clock'>,
  { deadline }: Pick<WorkerContext, 'deadline'>,
  { cost, reason }: { cost: PlanCost; reason: string },
): void {
  const expectedSeconds = wallSeconds(cost.cpuSeconds, processors);
  const leftSeconds = remainingSeconds(clock, deadline);
  if (expectedSeconds * spread <= leftSeconds) return;
  const message =
    `This work takes about ${minutes(expectedSeconds)} minutes, up to ${minutes(expectedSeconds * spread)}, and a ` +
    `worker has ${minutes(leftSeconds)} left. ${reason}. Choose a smaller frame size, a faster preset, h264 or a ` +
    "shorter input; the service's operator can raise transcoder.memoryMb";
  throw new JobError('INPUT_TOO_LONG', message);
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}
