import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { expectedSeconds, spread } from '../../core/cost-model/processors.ts';
import { JobError } from '../../core/errors.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../worker/worker-deps.ts';
import { ExceedsFunctionError } from './exceeds-function.ts';

/**
 * Finds out, before it has cost a quarter of an hour, that a single pass would run into the deadline.
 * @param reason why the work is not split into chunks
 * @throws ExceedsFunctionError if a Fargate task has time for it
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTime(
  { processors, clock, fargate }: Pick<TranscodeDeps, 'processors' | 'clock' | 'fargate'>,
  { deadline }: Pick<WorkerContext, 'deadline'>,
  { cost, reason }: { cost: PlanCost; reason: string },
): void {
  const seconds = expectedSeconds(cost, processors);
  const leftSeconds = remainingSeconds(clock, deadline);
  if (seconds * spread <= leftSeconds) return;
  const time = `about ${minutes(seconds)} minutes, up to ${minutes(seconds * spread)}`;
  if (fargate === undefined) {
    const message =
      `This work takes ${time}, and a worker has ${minutes(leftSeconds)} left. ${reason}. Choose a smaller frame ` +
      "size, a faster preset, h264 or a shorter input; the service's operator can raise transcoder.memoryMb, or set " +
      'fargate for tasks that may take hours';
    throw new JobError('INPUT_TOO_LONG', message);
  }
  requireFittingTask(fargate, cost);
  throw new ExceedsFunctionError(`${reason}. A Fargate task encodes it: a function would take ${time}`);
}

/**
 * Rejects work for which a Fargate task has no time.
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTask(
  { processors, maxSeconds }: Pick<NonNullable<TranscodeDeps['fargate']>, 'processors' | 'maxSeconds'>,
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
): void {
  const seconds = expectedSeconds(cost, processors);
  if (seconds * spread <= maxSeconds) return;
  const message =
    `This work takes a Fargate task about ${minutes(seconds)} minutes, up to ` +
    `${minutes(seconds * spread)}, and it has ${minutes(maxSeconds)}. Choose a smaller frame size, a faster ` +
    "preset, h264 or a shorter input; the service's operator can raise fargate.maxHours or fargate.vcpus";
  throw new JobError('INPUT_TOO_LONG', message);
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}
