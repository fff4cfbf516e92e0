import { carryOut, type RunCommand } from '../../core/recipes/carry-out.ts';
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
  ports: WorkPorts,
  context: WorkContext,
  { step, index, count, place }: StepWork,
): Promise<Plan> {
  const plan = planStep(step, place);
  context.lease.report({ stage: 'transcoding', fraction: index / count });
  return carryOut(plan, commandRunner(ports, context, { index, count, directory: place.outputDirectory }));
}

/** Runs the commands of one of so many steps, and reports how far the whole job is with each. */
export function commandRunner(
  { encoder, clock, stallSeconds }: Pick<WorkPorts, 'encoder' | 'clock' | 'stallSeconds'>,
  { lease, signal, deadline }: Omit<WorkContext, 'job'>,
  { index, count, directory }: Pick<StepWork, 'index' | 'count'> & { directory: string },
): RunCommand {
  return (command, { from, to, isLast }) =>
    encoder.run(command, {
      directory,
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
    });
}
