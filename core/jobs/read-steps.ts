import { assignFormats, formatSchema, recipeRequestSchema, type Step } from '@media-jobs/video/recipes';
import type { JobRequestRecord } from './request-record.ts';

/** Parses the steps of a stored request. A job of a single recipe has one step. */
export function readSteps({ recipe, steps, output }: JobRequestRecord): Step[] {
  const format = formatSchema.parse(output.format);
  const stored: NonNullable<JobRequestRecord['steps']> = steps ?? (recipe ? [{ recipe }] : []);
  const requests = stored.map((step) => ({
    name: step.name,
    recipe: recipeRequestSchema.parse(step.recipe),
  }));
  return assignFormats(requests, format);
}
