import {
  assignFormats,
  conditionSchema,
  formatSchema,
  fuseSteps,
  orderOutputs,
  type Step,
  storedRecipeSchema,
} from '@media-jobs/video/recipes';
import * as z from 'zod';
import type { JobRequestRecord } from './request-record.ts';

const outputsSchema = z.record(
  z.string(),
  z.object({
    from: z.string().optional(),
    recipe: storedRecipeSchema,
    format: formatSchema,
    when: conditionSchema.optional(),
    optional: z.boolean().optional(),
    deliver: z.boolean().optional(),
  }),
);

/** The graph of a stored request: one step for a job of one recipe, a chain for a pipeline, and one step for each output. */
export function readSteps({ recipe, steps, output, outputs }: Partial<JobRequestRecord>): Step[] {
  if (outputs !== undefined) return fuseSteps(orderOutputs(outputsSchema.parse(outputs)));
  const format = formatSchema.parse(output?.format);
  const stored: NonNullable<JobRequestRecord['steps']> = steps ?? (recipe ? [{ recipe }] : []);
  const requests = stored.map((step) => ({ name: step.name, recipe: storedRecipeSchema.parse(step.recipe) }));
  return fuseSteps(assignFormats(requests, format));
}
