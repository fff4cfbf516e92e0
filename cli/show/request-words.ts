import type { JobResource } from '../../core/api/job-resource.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { inputName } from '../../dashboard/format/input-name.ts';

/** A job's request in any of its modes: one input or several, one recipe or steps. */
export type AnyRequest = JobResource['request'];

/** What to call a job: the name of its first input, and how many follow. */
export function inputWords(request: AnyRequest): string {
  const [first = '', ...others] = inputUrls(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}

/** The recipes that a request runs, in their order. */
export function recipesOf({ recipe, steps = [] }: AnyRequest): NonNullable<AnyRequest['recipe']>[] {
  return recipe === undefined ? steps.map((step) => step.recipe) : [recipe];
}
