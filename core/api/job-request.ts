import * as z from 'zod';
import { speeds } from '../jobs/speeds.ts';
import type { Format } from '../media/formats.ts';
import { maxUrlCharacters } from '../net/check-url.ts';
import { assignFormats } from '../recipes/pipeline/steps.ts';
import {
  findConflicts,
  findRecipe,
  formatSchema,
  listAssets,
  type RecipeRequest,
  recipeRequestSchema,
} from '../recipes/registry.ts';
import { metadataSchema } from './job-fields.ts';

const url = z.string().min(1).max(maxUrlCharacters);

const inputSchema = z.strictObject({
  url: url.meta({
    description: 'Where the source media is: an http or https URL, or the `inputUrl` of an upload.',
  }),
});

const recipeSchema = recipeRequestSchema.meta({ id: 'RecipeRequest' });

const mostInputs = 20;
const mostSteps = 8;

/** What a job has whatever its mode is. */
const common = {
  output: z.strictObject({
    format: formatSchema.meta({ description: 'The container of the result; each recipe allows some.' }),
  }),
  webhookUrl: url
    .optional()
    .meta({ description: 'Who is told when the job ends, in place of the default webhook URL.' }),
  metadata: metadataSchema.optional().meta({
    description: 'Up to 20 pairs of your own, given back with the job and its webhook.',
  }),
  speed: z.enum(speeds).optional().meta({
    description:
      'How urgent it is: `fast` encodes a video in chunks side by side wherever that makes the same file, `standard` (the default) only where one piece would take long.',
  }),
};

const recipeJobSchema = z
  .strictObject({
    mode: z.literal('recipe').meta({ description: 'The kind of work: `recipe` runs one named recipe.' }),
    input: inputSchema.optional().meta({ description: 'Required, unless the recipe takes several inputs.' }),
    inputs: z.array(inputSchema).min(2).max(mostInputs).optional().meta({
      description: 'In place of `input`, for a recipe that takes several.',
    }),
    recipe: recipeSchema,
    ...common,
  })
  .superRefine((request, context) => {
    refuseInputs(request, context);
    for (const { path, message } of findConflicts(request.recipe, request.output.format)) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  })
  .meta({ id: 'RecipeJob' });

const stepSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^(?!output$|step-\d+$)[a-z0-9][a-z0-9-]{0,39}$/,
      'Lower-case letters, digits and hyphens; not `output`, nor `step-` with a number',
    )
    .optional()
    .meta({
      description: 'Keeps what the step makes, under this name. The last step is kept anyway, as `output`.',
    }),
  recipe: recipeSchema,
});

const pipelineJobSchema = z
  .strictObject({
    mode: z.literal('pipeline').meta({
      description:
        'The kind of work: `pipeline` runs recipes one after the other, each on what the last one made.',
    }),
    input: inputSchema,
    steps: z.array(stepSchema).min(1).max(mostSteps),
    ...common,
  })
  .superRefine(rejectInvalidSteps)
  .meta({ id: 'PipelineJob' });

/** What a client submits. URLs are judged by the app, since which may be reached is a setting of the stage. */
export const jobRequestSchema = z
  .discriminatedUnion('mode', [recipeJobSchema, pipelineJobSchema])
  .meta({ id: 'JobRequest' });

export type JobRequest = z.output<typeof jobRequestSchema>;

type Inputs = Pick<z.output<typeof recipeJobSchema>, 'input' | 'inputs' | 'recipe'>;

function refuseInputs({ input, inputs, recipe: { name } }: Inputs, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { inputCount } = findRecipe(name) ?? {};
  if (inputCount === undefined) {
    if (inputs !== undefined) refuse('inputs', `The recipe ${name} takes one input: give it as input`);
    else if (input === undefined) refuse('input', 'Required');
    return;
  }
  const { min, max } = inputCount;
  const message = `The recipe ${name} takes ${min} to ${max} inputs`;
  if (input !== undefined) refuse('input', `${message}: give them as inputs`);
  else if (inputs === undefined || inputs.length < min || inputs.length > max) refuse('inputs', message);
}

type Step = { name?: string | undefined; recipe: RecipeRequest };

/** What is wrong with a pipeline whatever its input is; each is told at the step that it is about. */
export function rejectInvalidSteps(
  { steps, output: { format } }: { steps: readonly Step[]; output: { format: Format } },
  context: z.RefinementCtx,
): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  for (const [index, { name, recipe, format: made }] of assignFormats(steps, format).entries()) {
    const place = ['steps', index];
    if (name !== undefined && steps.findIndex((step) => step.name === name) < index) {
      refuse([...place, 'name'], `Another step is called ${name}`);
    }
    if (findRecipe(recipe.name)?.inputCount) {
      refuse(
        [...place, 'recipe', 'name'],
        `The recipe ${recipe.name} takes several inputs, which no step has`,
      );
    }
    for (const { path, message } of findConflicts(recipe, made)) {
      refuse(path.startsWith('recipe') ? [...place, ...path.split('.')] : path.split('.'), message);
    }
  }
}

/** Every URL that a job's worker is asked to fetch, with its place in the request. */
export function requestUrls(request: JobRequest): { url: string; path: string }[] {
  return [...inputsOf(request), ...assetsIn(request)];
}

function inputsOf(request: JobRequest): { url: string; path: string }[] {
  const { input } = request;
  const inputs = request.mode === 'recipe' ? (request.inputs ?? []) : [];
  return [
    ...(input === undefined ? [] : [{ url: input.url, path: 'input.url' }]),
    ...inputs.map(({ url }, index) => ({ url, path: `inputs.${index}.url` })),
  ];
}

function assetsIn(request: JobRequest): { url: string; path: string }[] {
  const steps =
    request.mode === 'pipeline'
      ? request.steps.map(({ recipe }, index) => ({ recipe, place: `steps.${index}.recipe` }))
      : [{ recipe: request.recipe, place: 'recipe' }];
  return steps.flatMap(({ recipe, place }) =>
    listAssets(recipe).map(({ name, url }) => ({ url, path: `${place}.${name}` })),
  );
}
