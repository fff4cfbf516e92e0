import { carryOut } from '../../core/recipes/carry-out.ts';
import type { Plan } from '../../core/recipes/recipe.ts';
import { planStep, type Step, type StepPlace } from '../../core/recipes/steps.ts';
import type { WorkContext, WorkPorts } from './work.ts';

export type StepWork = {
  step: Step;
  /** Which of how many steps it is, from 0. */
  index: number;
  count: number;
  place: StepPlace;
};

/** Plans a step and runs its commands; returns the plan as it was decided. */
export async function runStep(
  { encoder, clock, stallSeconds }: WorkPorts,
  { lease, signal, deadline }: WorkContext,
  { step, index, count, place }: StepWork,
): Promise<Plan> {
  const plan = planStep(step, place);
  lease.report({ stage: 'transcoding', fraction: index / count });
  return carryOut(plan, (command, { from, to, isLast }) =>
    encoder.run(command, {
      directory: place.outputDirectory,
      signal,
      timeLimitSeconds: (deadline.getTime() - clock.now().getTime()) / 1000,
      stallSeconds,
      onProgress: ({ percent, remainingSeconds }) =>
        lease.report({
          stage: 'transcoding',
          fraction: (index + from + ((to - from) * percent) / 100) / count,
          // A command knows nothing of those that follow it.
          remainingSeconds: isLast && index === count - 1 ? remainingSeconds : undefined,
        }),
    }),
  );
}
