import { carryOut } from '../../core/recipes/carry-out.ts';
import type { MediaFile, Plan } from '../../core/recipes/recipe.ts';
import { planRecipe } from '../../core/recipes/registry.ts';
import type { Step } from '../../core/recipes/steps.ts';
import type { WorkContext, WorkPorts } from './work.ts';

export type StepWork = {
  step: Step;
  /** Which of how many steps it is, from 0. */
  index: number;
  count: number;
  inputs: readonly MediaFile[];
  assets: Readonly<Record<string, MediaFile>>;
  /** Where its outputs go. */
  directory: string;
};

/** Plans a step and runs its commands; returns the plan as it was decided. */
export async function runStep(
  { encoder, clock, stallSeconds }: WorkPorts,
  { lease, signal, deadline }: WorkContext,
  { step, index, count, inputs, assets, directory }: StepWork,
): Promise<Plan> {
  const [first] = inputs;
  if (first === undefined) throw new TypeError('A step has at least one input');
  const { recipe, format } = step;
  const place = { inputPath: first.path, outputDirectory: directory, inputs, assets };
  const plan = planRecipe(recipe, { probe: first.probe, format, ...place });
  lease.report({ stage: 'transcoding', fraction: index / count });
  return carryOut(plan, (command, { from, to, isLast }) =>
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
    }),
  );
}
