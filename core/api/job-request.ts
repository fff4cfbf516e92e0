import type { Format } from '@media-jobs/video/media';
import { referencingFilePattern } from '@media-jobs/video/media';
import {
  assignFormats,
  commandRecipe,
  findConflicts,
  findRecipe,
  listAssets,
  type RecipeRequest,
} from '@media-jobs/video/recipes';
import * as z from 'zod';
import { contentKeyText } from '../jobs/content-key.ts';
import { requestInputs } from '../jobs/request-inputs.ts';
import { maxInputs, maxSteps } from '../jobs/request-limits.ts';
import { maxStepNameLength } from '../storage/object-key.ts';
import { objectExamples } from './issue-message.ts';
import { outputsJobSchema } from './outputs-job.ts';
import { commonFields, inputSchema, narrowFormat, recipeSchema, resultFields } from './request-fields.ts';

export { outputsJobSchema };

const outputFields = { output: z.strictObject(resultFields), ...commonFields };

export const recipeJobSchema = z
  .strictObject({
    mode: z.literal('recipe').describe('`recipe` runs one recipe.'),
    input: inputSchema.optional().describe('Required unless the recipe takes several inputs.'),
    inputs: z.array(inputSchema).min(2).max(maxInputs).optional().meta({
      description: 'Replaces `input` for a recipe that takes several inputs.',
    }),
    recipe: recipeSchema,
    ...outputFields,
  })
  .superRefine((request, context) => {
    rejectWrongInputCount(request, context);
    for (const { path, message } of findConflicts(request.recipe, request.output.format)) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  })
  .superRefine(...narrowFormats(({ recipe }) => recipe))
  .meta({ id: 'RecipeJob' });

const stepSchema = z.strictObject({
  name: z
    .string()
    .regex(
      new RegExp(`^(?!output$|step-\\d+$)[a-z0-9][a-z0-9-]{0,${maxStepNameLength - 1}}$`),
      'Must be up to 40 lower-case letters, digits and hyphens; not `output`, nor `step-` with a number',
    )
    .optional()
    .meta({
      description:
        'Delivers the result of this step as an output of that name. The last step is always delivered: without a name, as `output`.',
    }),
  recipe: recipeSchema,
});

export const pipelineJobSchema = z
  .strictObject({
    mode: z
      .literal('pipeline')
      .describe('`pipeline` runs recipes in order. Each step takes the result of the step before it.'),
    input: inputSchema,
    steps: z.array(stepSchema).min(1).max(maxSteps),
    ...outputFields,
  })
  .superRefine(rejectInvalidSteps)
  .superRefine(...narrowFormats(({ steps }) => steps?.at(-1)?.recipe))
  .meta({ id: 'PipelineJob' });

const { keepDays: _, ...fieldsOfJob } = commonFields;

export const presetJobSchema = z
  .strictObject({
    mode: z.literal('preset').describe('`preset` runs a stored request on an input.'),
    preset: z.string().min(1).max(60).meta({
      description:
        '`name@version`, or `name` for the highest version that is neither draft nor retired. The job tells which it was.',
    }),
    input: inputSchema,
    parameters: z
      .record(z.string().max(200), z.unknown())
      .optional()
      .describe(
        'Values by their paths in the request of the preset, such as `recipe.maxWidth`, which it must `allow`.',
      ),
    ...fieldsOfJob,
  })
  .meta({ id: 'PresetJob' });

export type PresetJob = z.output<typeof presetJobSchema>;

/** The job of a command, which only a preset of the stage has. */
const commandJobSchema = recipeJobSchema.safeExtend({
  recipe: commandRecipe.request as unknown as typeof recipeSchema,
});

/** The schema of a job as it is done. Only a request from a preset of the stage can be a command. */
export function resolvedJobSchema(request: object, source: 'stage' | 'owner'): typeof jobRequestSchema {
  return source === 'stage' && isCommand(request)
    ? (commandJobSchema as unknown as typeof jobRequestSchema)
    : jobRequestSchema;
}

export function isCommand(request: object): boolean {
  return (request as Unparsed).recipe?.name === commandRecipe.name;
}

/** A job as it is done: the request of a preset is one of these. */
export const jobRequestSchema = z.discriminatedUnion('mode', [recipeJobSchema, pipelineJobSchema, outputsJobSchema]);

/** The body of POST /api/v1/jobs. The schema does not check URLs: the stage's settings decide which are allowed. */
export const submittedJobSchema = z
  .discriminatedUnion('mode', [recipeJobSchema, pipelineJobSchema, outputsJobSchema, presetJobSchema])
  .meta({ id: 'JobRequest' });

export type SubmittedJob = z.output<typeof submittedJobSchema>;

export type JobRequest = z.output<typeof jobRequestSchema>;

type Unparsed = { recipe?: { name?: string }; steps?: { recipe?: { name?: string } }[] };

/** A check that narrows the choices in the issue of an unknown format to the formats that its recipe writes. */
function narrowFormats(recipeOf: (request: Unparsed) => { name?: string } | undefined) {
  const narrow = (request: object, { issues }: z.RefinementCtx) => {
    for (const issue of issues)
      if (issue.path?.join('.') === 'output.format') narrowFormat(issue, recipeOf(request as Unparsed)?.name);
  };
  // Other checks run only on a valid object.
  return [narrow, { when: () => true }] as const;
}

type InputFields = Pick<z.output<typeof recipeJobSchema>, 'input' | 'inputs' | 'recipe'>;

function rejectWrongInputCount({ input, inputs, recipe: { name } }: InputFields, context: z.RefinementCtx): void {
  const reject = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const { inputCount } = findRecipe(name) ?? {};
  if (inputCount === undefined) {
    if (inputs !== undefined) reject('inputs', `The recipe ${name} takes one input: give it as input`);
    else if (input === undefined) reject('input', `Required: ${objectExamples.input}`);
    return;
  }
  const { min, max } = inputCount;
  const message = `The recipe ${name} takes ${min} to ${max} inputs`;
  if (input !== undefined) reject('input', `${message}: give them as inputs`);
  else if (inputs === undefined || inputs.length < min || inputs.length > max) reject('inputs', message);
}

type Step = { name?: string | undefined; recipe: RecipeRequest };

/** Rejects steps that are invalid for every input. Each issue has the path of its step. */
function rejectInvalidSteps(
  { steps, output: { format } }: { steps: readonly Step[]; output: { format: Format } },
  context: z.RefinementCtx,
): void {
  const reject = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const [index, { name, recipe, format: stepFormat }] of assignFormats(steps, format).entries()) {
    const stepPath = ['steps', index];
    if (name !== undefined && steps.findIndex((step) => step.name === name) < index) {
      reject([...stepPath, 'name'], `Another step is called ${name}`);
    }
    // Only files that this service writes are playlists: subtitles of this name would pass for the cues of a sprite.
    if (referencingFilePattern.test(`${name}.${stepFormat}`)) {
      reject([...stepPath, 'name'], `A ${stepFormat} file cannot be called ${name}`);
    }
    if (findRecipe(recipe.name)?.inputCount) {
      reject([...stepPath, 'recipe', 'name'], `The recipe ${recipe.name} takes several inputs, but a step has one`);
    }
    if (index < steps.length - 1 && recipe.name === 'hls' && recipe.encryption !== undefined) {
      reject([...stepPath, 'recipe', 'encryption'], 'Only the last step can encrypt its files');
    }
    for (const { path, message } of findConflicts(recipe, stepFormat)) {
      reject(path.startsWith('recipe') ? [...stepPath, ...path.split('.')] : path.split('.'), message);
    }
  }
}

/** Every recipe of a request, and its path there. */
export function requestedRecipes(request: JobRequest): { recipe: RecipeRequest; path: string }[] {
  switch (request.mode) {
    case 'recipe':
      return [{ recipe: request.recipe, path: 'recipe' }];
    case 'pipeline':
      return request.steps.map(({ recipe }, index) => ({ recipe, path: `steps.${index}.recipe` }));
    case 'outputs':
      return Object.entries(request.outputs).map(([name, { recipe }]) => ({ recipe, path: `outputs.${name}.recipe` }));
  }
}

/**
 * Takes the content keys of encrypted streams out of a request. The record of a job has the request without them, and
 * their text encrypted, see `contentKeyOf`.
 */
export function takeContentKey(request: JobRequest): { request: JobRequest; key: string | undefined } {
  let key: string | undefined;
  const strip = <Holder extends { recipe: RecipeRequest }>(holder: Holder, take: (key: string) => void): Holder => {
    const { recipe } = holder;
    if (recipe.name !== 'hls' || recipe.encryption === undefined) return holder;
    const { key: taken, ...encryption } = recipe.encryption;
    if (taken !== undefined) take(taken.toLowerCase());
    return { ...holder, recipe: { ...recipe, encryption } };
  };
  const takeOnly = (taken: string) => {
    key = taken;
  };
  switch (request.mode) {
    case 'recipe':
      return { request: strip(request, takeOnly), key };
    case 'pipeline':
      return { request: { ...request, steps: request.steps.map((step) => strip(step, takeOnly)) }, key };
    case 'outputs': {
      const keys = new Map<string, string>();
      const outputs = Object.entries(request.outputs).map(([name, output]) => [
        name,
        strip(output, (taken) => keys.set(name, taken)),
      ]);
      return { request: { ...request, outputs: Object.fromEntries(outputs) }, key: contentKeyText(keys) };
    }
  }
}

/** Every URL that a job's worker downloads, with its path in the request; of a job of a preset that of its input. */
export function requestUrls(request: SubmittedJob): { url: string; path: string }[] {
  const inputs = requestInputs(request).flatMap(({ input: { url }, path }) =>
    url === undefined ? [] : [{ url, path: `${path}.url` }],
  );
  return request.mode === 'preset' ? inputs : [...inputs, ...assetUrls(request)];
}

function assetUrls(request: JobRequest): { url: string; path: string }[] {
  return requestedRecipes(request).flatMap(({ recipe, path: recipePath }) =>
    listAssets(recipe).map(({ name, path = name, url }) => ({ url, path: `${recipePath}.${path}` })),
  );
}
