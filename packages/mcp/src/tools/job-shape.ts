import type { JobFields, Work } from '@media-jobs/client';
import * as z from 'zod';

const parametersSchema = z.record(z.string(), z.unknown());

/** The arguments that describe a job. The service checks them; `recipes` and `presets` tell what it accepts. */
export const jobShape = {
  input: z
    .string()
    .describe(
      'What to process: an http(s) URL, s3://bucket/key of a bucket of the service, or the path of a local file, which is uploaded.',
    ),
  recipe: z
    .looseObject({ name: z.string() })
    .optional()
    .describe('One recipe with its parameters, such as { "name": "compress", "crf": 28, "maxWidth": 1280 }.'),
  format: z
    .string()
    .optional()
    .describe('Format of the result of `recipe` or `steps`; by default the first of the recipe.'),
  steps: z
    .array(z.looseObject({ recipe: z.looseObject({ name: z.string() }) }))
    .optional()
    .describe('Recipes that run one after another: [{ "recipe": { "name": "clip", "start": 0, "end": 5 } }, …].'),
  outputs: z
    .record(z.string(), parametersSchema)
    .optional()
    .describe(
      'Several results of one input: { "poster": { "recipe": { "name": "thumbnail", "at": "best" }, "format": "jpg" }, … }.',
    ),
  preset: z.string().optional().describe('A stored preset, `name` or `name@version`.'),
  parameters: parametersSchema
    .optional()
    .describe('Values of the preset by path, such as { "outputs.small.recipe.maxWidth": 960 }.'),
} as const;

/** Arguments beside the work. */
export const fieldsShape = {
  metadata: z.record(z.string(), z.string()).optional().describe('Pairs by which `list` finds the job.'),
  speed: z.enum(['standard', 'fast', 'economy']).optional(),
  maxCostUsd: z.number().positive().optional().describe('The service stops the job at this cost.'),
} as const;

export type JobArguments = z.output<z.ZodObject<typeof jobShape>>;

/** What a job does. @throws Error unless exactly one of recipe, steps, outputs and preset is given */
export function workOf({ recipe, format, steps, outputs, preset, parameters }: JobArguments): Work {
  const given = Object.entries({ recipe, steps, outputs, preset }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    throw new Error(
      `Give one of recipe, steps, outputs and preset; ${given.length === 0 ? 'none' : given.map(([name]) => name).join(', ')} was given.`,
    );
  }
  const work = {
    ...(recipe !== undefined && { ...recipe, ...(format !== undefined && { format }) }),
    ...(steps !== undefined && { steps, output: { format } }),
    ...(outputs !== undefined && { outputs }),
    ...(preset !== undefined && { preset, ...(parameters !== undefined && { parameters }) }),
  };
  return work as unknown as Work;
}

/** The fields without those that are left out. */
export function fieldsOf({ metadata, speed }: z.output<z.ZodObject<typeof fieldsShape>>): JobFields {
  return { ...(metadata && { metadata }), ...(speed && { speed }) };
}
