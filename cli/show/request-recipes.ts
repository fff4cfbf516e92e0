import type { JobResource } from '../../core/api/job-resource.ts';

/** A job's request in any of its modes: one input or several, one recipe or steps. */
export type JobRequestView = JobResource['request'];

/** The recipes that a request runs, in their order. */
export function requestRecipes({
  recipe,
  steps = [],
}: JobRequestView): NonNullable<JobRequestView['recipe']>[] {
  return recipe === undefined ? steps.map((step) => step.recipe) : [recipe];
}
