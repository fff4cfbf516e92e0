import * as z from 'zod';
import { maxUrlCharacters } from '../net/url-text.ts';
import { formatSchema, recipeConflicts, recipeRequestSchema } from '../recipes/registry.ts';

const url = z.string().min(1).max(maxUrlCharacters);

/** One pair of a job's metadata in the form of a record: key and value. */
export const metadataPairsSchema = z.record(z.string().min(1).max(40), z.string().max(500), {
  error: ({ code }) => (code === 'invalid_key' ? 'keys are 1 to 40 characters long' : undefined),
});

/** Up to 20 pairs of the caller's own, given back with the job and its webhook. */
export const metadataSchema = metadataPairsSchema.refine(
  (pairs) => Object.keys(pairs).length <= 20,
  'at most 20 pairs',
);

/** What a client submits. URLs are judged by the app, since which may be reached is a setting of the stage. */
export const jobRequestSchema = z
  .strictObject({
    mode: z.literal('recipe').meta({ description: 'The kind of work: `recipe` runs one named recipe.' }),
    input: z.strictObject({
      url: url.meta({ description: 'Where the source media is: an http or https URL.' }),
    }),
    output: z.strictObject({
      format: formatSchema.meta({ description: 'The container of the result; each recipe allows some.' }),
    }),
    recipe: recipeRequestSchema,
    webhookUrl: url
      .optional()
      .meta({ description: 'Who is told when the job ends, in place of the default webhook URL.' }),
    metadata: metadataSchema.optional().meta({
      description: 'Up to 20 pairs of your own, given back with the job and its webhook.',
    }),
  })
  .superRefine(({ recipe, output }, context) => {
    for (const { path, message } of recipeConflicts(recipe, output.format)) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  })
  .meta({ id: 'JobRequest' });

export type JobRequest = z.output<typeof jobRequestSchema>;
