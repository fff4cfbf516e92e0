import { speeds } from '@media-jobs/video/encoding';
import {
  assignFormats,
  conditionSchema,
  formatSchema,
  fuseSteps,
  orderOutputs,
  recipeRequestSchema,
  type Step,
} from '@media-jobs/video/recipes';
import * as z from 'zod';
import { storageUrl } from '../storage/storage-url.ts';
import { timestampSchema } from '../timestamp.ts';

const storedInputSchema = z.looseObject({
  url: z.string().optional(),
  storageProviderId: z.string().optional(),
  key: z.string().optional(),
});
const storedRecipeSchema = z.looseObject({ name: z.string() });
const keepDays = z.number().nullable().optional();

/** A job's request as it was accepted. Loose, so that requests of older versions stay readable. */
export const jobRequestSchema = z.looseObject({
  mode: z.string(),
  input: storedInputSchema.optional(),
  inputs: z.array(storedInputSchema).optional(),
  output: z.looseObject({ format: z.string(), keepDays }).optional(),
  recipe: storedRecipeSchema.optional(),
  steps: z.array(z.looseObject({ name: z.string().optional(), recipe: storedRecipeSchema })).optional(),
  outputs: z
    .record(
      z.string(),
      z.looseObject({ from: z.string().optional(), recipe: storedRecipeSchema, format: z.string(), keepDays }),
    )
    .optional(),
  webhookUrl: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  speed: z.enum(speeds).optional(),
  /** Only of economy jobs. */
  finishBy: timestampSchema.optional(),
  maxCostUsd: z.number().optional(),
  keepDays,
});

export type JobRequestRecord = z.infer<typeof jobRequestSchema>;

const outputsSchema = z.record(
  z.string(),
  z.object({
    from: z.string().optional(),
    recipe: recipeRequestSchema,
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
  const requests = stored.map((step) => ({
    name: step.name,
    recipe: recipeRequestSchema.parse(step.recipe),
  }));
  return fuseSteps(assignFormats(requests, format));
}

/** A request with one input, or with several for a recipe that joins them. */
export type WithInputs = Pick<JobRequestRecord, 'input' | 'inputs'>;

/** An input as a request names it: by URL, or by an object of a storage provider. */
type RequestInput = {
  url?: string | undefined;
  storageProviderId?: string | undefined;
  key?: string | undefined;
};

/** Every input of a request, with its path in the request. */
export function requestInputs<Input>({
  input,
  inputs = [],
}: {
  input?: Input | undefined;
  inputs?: readonly Input[] | undefined;
}): { input: Input; path: string }[] {
  return [
    ...(input === undefined ? [] : [{ input, path: 'input' }]),
    ...inputs.map((each, index) => ({ input: each, path: `inputs.${index}` })),
  ];
}

/** The URLs of a request's inputs, in order. An object of a storage provider has a `storage:` URL. */
export function inputUrls({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(inputUrl);
}

/** The URL of one input. */
function inputUrl({ url, storageProviderId, key }: RequestInput): string {
  if (url !== undefined) return url;
  return storageProviderId === undefined || key === undefined ? '' : storageUrl({ storageProviderId, key });
}
