import { executePlan, type RunCommand } from '../../core/encoding/execute-plan.ts';
import type { Plan } from '../../core/encoding/plan.ts';
import { planStep, type Step, type StepContext } from '../../core/recipes/pipeline/steps.ts';
import type { WorkerContext, WorkerDeps } from '../transcode/process-job.ts';

export type StepRun = {
  step: Step;
  /** Which of how many steps it is, from 0. */
  index: number;
  count: number;
  place: StepContext;
};

/** Plans a step and runs its commands; returns the plan as it was decided. */
export async function runStep(
  ports: WorkerDeps,
  context: WorkerContext,
  { step, index, count, place }: StepRun,
): Promise<Plan> {
  const plan = planStep(step, place);
  context.lease.report({ stage: 'transcoding', fraction: index / count });
  return executePlan(plan, commandRunner(ports, context, { index, count, directory: place.outputDirectory }));
}

/** Runs the commands of one of so many steps, and reports how far the whole job is with each. */
export function commandRunner(
  { encoder, clock, stallSeconds }: Pick<WorkerDeps, 'encoder' | 'clock' | 'stallSeconds'>,
  { lease, signal, deadline }: Omit<WorkerContext, 'job'>,
  { index, count, directory }: Pick<StepRun, 'index' | 'count'> & { directory: string },
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
