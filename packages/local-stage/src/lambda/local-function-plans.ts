import { availableParallelism } from 'node:os';
import type { FunctionPlan, StagePlan } from '../template/stage-plan.ts';
import type { TaskDefinitionPlan } from '../template/task-definition-plan.ts';

/**
 * Variables that replace those of a function or task on this machine, such as the paths of programs of its image. Those
 * that the template does not have are left out.
 *
 * @param template the variables in the template
 */
export type LocalEnvironment = (template: Readonly<Record<string, string>>) => Record<string, string>;

/**
 * Adapts the function plans to this machine. A function of a container image uses a whole core, so it runs at most once
 * per core, unless the event source mapping of a queue limits it.
 */
export function localFunctionPlans(
  { functions, queueMappings }: Pick<StagePlan, 'functions' | 'queueMappings'>,
  localEnvironment: LocalEnvironment,
): FunctionPlan[] {
  const polledFunctions = new Set(queueMappings.map(({ functionName }) => functionName));
  return functions.map((plan) => {
    const isLimited = plan.code.packageType === 'Image' && !polledFunctions.has(plan.name);
    return {
      ...plan,
      environment: replaced(plan.environment, localEnvironment),
      ...(isLimited ? { maxConcurrency: availableParallelism() } : {}),
    };
  });
}

/** Adapts the task definitions in the same way. */
export function localTaskDefinitions(
  { taskDefinitions }: Pick<StagePlan, 'taskDefinitions'>,
  localEnvironment: LocalEnvironment,
): TaskDefinitionPlan[] {
  return taskDefinitions.map((plan) => ({
    ...plan,
    environment: replaced(plan.environment, localEnvironment),
  }));
}

function replaced(template: Record<string, string>, localEnvironment: LocalEnvironment): Record<string, string> {
  const local = Object.entries(localEnvironment(template));
  return { ...template, ...Object.fromEntries(local.filter(([name]) => Object.hasOwn(template, name))) };
}
