import type { JobResource } from '../../core/api/job-resource.ts';

/** A job's request in any of its modes: one input or several, one recipe or steps. */
export type AnyRequest = JobResource['request'];

/** The recipes that a request runs, in their order. */
export function recipesOf({ recipe, steps = [] }: AnyRequest): NonNullable<AnyRequest['recipe']>[] {
  return recipe === undefined ? steps.map((step) => step.recipe) : [recipe];
}
