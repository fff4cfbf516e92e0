import type { Tenancy } from '../../core/access/owner.ts';
import { type BatchStep, openEntry } from '../../core/batches/batch.ts';
import { type ConcurrencyLimits, type LimitDeps, withinLimit } from '../../core/concurrency-limit.ts';
import { nextStep, type StepResult } from './app.ts';

export type LimitStepsDeps = Omit<LimitDeps, 'concurrency'> & {
  tenancy: Tenancy;
  /** The steps of an owner that run. */
  running: ConcurrencyLimits;
  /** The batches of an owner that have not ended. */
  open: ConcurrencyLimits;
};

/** Of one owner on a stage with several: the host of a manifest may hold a function for minutes. */
const maxRunningSteps = 2;

/** Longer than the function runs. */
const stepExpiryMs = 320_000;

/**
 * Limits the steps of an owner that run at the same time: a further one waits as after a step that found nothing. A batch counts
 * among those that have not ended while it takes steps.
 */
export function limitSteps(
  deps: LimitStepsDeps,
  run: (step: BatchStep, until: Date) => Promise<StepResult>,
): typeof run {
  const { tenancy, running, open, clock } = deps;
  const max = tenancy === 'multi' ? maxRunningSteps : undefined;
  return async (step, until) => {
    const rule = { limit: step.ownerId, max, expiryMs: stepExpiryMs };
    const result = await withinLimit({ ...deps, concurrency: running }, rule, {
      call: () => run(step, until),
      refused: () => nextStep(step, step.waitSeconds * 1.5),
    });
    const now = clock.now();
    const entry = openEntry(step, now);
    if (result.status === 'done') await open.leave(entry);
    else await open.enter(entry, { max: Number.POSITIVE_INFINITY, now });
    return result;
  };
}
