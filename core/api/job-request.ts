import { speeds } from '@media-jobs/video/encoding';
import type { Format } from '@media-jobs/video/media';
import { referencingFilePattern } from '@media-jobs/video/media';
import {
  assignFormats,
  findConflicts,
  findRecipe,
  formatSchema,
  listAssets,
  maxUrlCharacters,
  type RecipeRequest,
  recipeRequestSchema,
} from '@media-jobs/video/recipes';
import * as z from 'zod';
import { requestInputs } from '../jobs/request-inputs.ts';
import { maxInputs, maxKeepDays, maxSteps } from '../jobs/request-limits.ts';
import { defaultKeyTemplate, keyTemplateSchema, maxStepNameLength, objectKeySchema } from '../storage/object-key.ts';
import { objectOptions } from '../storage/object-options.ts';
import { metadataSchema } from './job-fields.ts';
import { storageProviderIdSchema } from './storage-provider-id.ts';

const url = z.string().min(1).max(maxUrlCharacters);

const urlInput = z.strictObject({
  url: url.meta({
    description:
      'URL of the source media: http, https, the `inputUrl` of an upload, or `s3://bucket/key` of a bucket of the stage. It must stay valid until the job has ended.',
  }),
});

const storedInput = z.strictObject({
  storageProviderId: storageProviderIdSchema.meta({
    description: 'In place of `url`: the storage provider of the source, with its `key`.',
  }),
  key: objectKeySchema.meta({ description: 'Key of the object, below the prefix of the provider.' }),
});

/** One object, so that an error names the field. The document has the two forms, so that generated types require one. */
const inputSchema = z
  .strictObject({ ...urlInput.partial().shape, ...storedInput.partial().shape })
  .superRefine(({ url, storageProviderId, key }, context) => {
    const reject = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (url !== undefined) {
      if (storageProviderId !== undefined) reject('storageProviderId', 'Give either a url or a storageProviderId');
      else if (key !== undefined) reject('key', 'Give a key with a storageProviderId, not with a url');
    } else if (storageProviderId === undefined) {
      if (key === undefined) reject('url', 'Required');
      else reject('storageProviderId', 'Required with a key');
    } else if (key === undefined) {
      reject('key', 'Required with a storageProviderId');
    }
  })
  .meta({ id: 'JobInput', forms: [urlInput.meta({ id: 'UrlInput' }), storedInput.meta({ id: 'StoredInput' })] });

const recipeSchema = recipeRequestSchema.meta({ id: 'RecipeRequest' });

const keepDaysSchema = z.int().min(1).max(maxKeepDays).nullable().optional();

/** Fields of every mode. */
const commonFields = {
  output: z.strictObject({
    format: formatSchema.meta({
      description: 'Container of the result. Each recipe lists the formats that it writes.',
    }),
    storageProviderId: storageProviderIdSchema.nullable().optional().meta({
      description:
        'Receives the files. Default: `defaultStorageProviderId` of the settings. null: the bucket of the stage.',
    }),
    key: keyTemplateSchema.optional().meta({
      description: `Template of the keys at the storage provider, below its prefix, of \`{jobId}\`, \`{name}\`, \`{extension}\` and \`{date}\`. Default: \`${defaultKeyTemplate}\`.`,
    }),
    ...objectOptions,
    keepDays: keepDaysSchema.meta({ description: 'As `keepDays` of the job, which it replaces for this output.' }),
  }),
  keepDays: keepDaysSchema.meta({
    description:
      'Days for which the files are kept, from the end of the job. null: until the job is deleted. Default: the retention of the stage. Files at a storage provider stay; only their URLs end.',
  }),
  webhookUrl: url
    .optional()
    .meta({ description: 'Receives the webhook of this job instead of the default webhook URL.' }),
  metadata: metadataSchema.optional().meta({
    description: 'Up to 20 key-value pairs of your own, returned with the job and its webhook.',
  }),
  maxCostUsd: z.number().positive().max(10_000).optional().meta({
    description:
      'Dollars that the job may cost. Before anything is encoded, an estimate (p90) above it rejects the job with `COST_LIMIT`. While it is encoded, the work stops at the limit, or at most one chunk later, and the job fails with `COST_LIMIT`.',
  }),
  speed: z.enum(speeds).optional().meta({
    description:
      '`fast` encodes a video in parallel chunks wherever the result is equivalent. `standard` (the default) does so only if a single pass would take long.',
  }),
};

export const recipeJobSchema = z
  .strictObject({
    mode: z.literal('recipe').meta({ description: '`recipe` runs one recipe.' }),
    input: inputSchema.optional().meta({ description: 'Required unless the recipe takes several inputs.' }),
    inputs: z.array(inputSchema).min(2).max(maxInputs).optional().meta({
      description: 'Replaces `input` for a recipe that takes several inputs.',
    }),
    recipe: recipeSchema,
    ...commonFields,
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
    mode: z.literal('pipeline').meta({
      description: '`pipeline` runs recipes in order. Each step takes the result of the step before it.',
    }),
    input: inputSchema,
    steps: z.array(stepSchema).min(1).max(maxSteps),
    ...commonFields,
  })
  .superRefine(rejectInvalidSteps)
  .superRefine(...narrowFormats(({ steps }) => steps?.at(-1)?.recipe))
  .meta({ id: 'PipelineJob' });

/** The body of POST /api/v1/jobs. The schema does not check URLs: the stage's settings decide which are allowed. */
export const jobRequestSchema = z
  .discriminatedUnion('mode', [recipeJobSchema, pipelineJobSchema])
  .meta({ id: 'JobRequest' });

export type JobRequest = z.output<typeof jobRequestSchema>;

type Unparsed = { recipe?: { name?: string }; steps?: { recipe?: { name?: string } }[] };

/** A check that narrows the choices in the issue of an unknown format to the formats that its recipe writes. */
function narrowFormats(recipeOf: (request: Unparsed) => { name?: string } | undefined) {
  const narrow = (request: object, { issues }: z.RefinementCtx) => {
    const { formats } = findRecipe(recipeOf(request as Unparsed)?.name ?? '') ?? {};
    for (const issue of issues) {
      const isFormat = issue.path?.join('.') === 'output.format';
      if (issue.code === 'invalid_value' && isFormat && formats) Object.assign(issue, { values: formats });
    }
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
    else if (input === undefined) reject('input', 'Required');
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

/** Takes the content key out of a request. The record of a job has the request without it, and the key encrypted. */
export function takeContentKey(request: JobRequest): { request: JobRequest; key: string | undefined } {
  let key: string | undefined;
  const without = (recipe: RecipeRequest): RecipeRequest => {
    if (recipe.name !== 'hls' || recipe.encryption === undefined) return recipe;
    const { key: taken, ...encryption } = recipe.encryption;
    key = taken?.toLowerCase();
    return { ...recipe, encryption };
  };
  const stored =
    request.mode === 'recipe'
      ? { ...request, recipe: without(request.recipe) }
      : { ...request, steps: request.steps.map((step) => ({ ...step, recipe: without(step.recipe) })) };
  return { request: stored, key };
}

/** Every URL that a job's worker downloads, with its path in the request. */
export function requestUrls(request: JobRequest): { url: string; path: string }[] {
  const inputs = requestInputs(request).flatMap(({ input: { url }, path }) =>
    url === undefined ? [] : [{ url, path: `${path}.url` }],
  );
  return [...inputs, ...assetUrls(request)];
}

function assetUrls(request: JobRequest): { url: string; path: string }[] {
  const steps =
    request.mode === 'pipeline'
      ? request.steps.map(({ recipe }, index) => ({ recipe, recipePath: `steps.${index}.recipe` }))
      : [{ recipe: request.recipe, recipePath: 'recipe' }];
  return steps.flatMap(({ recipe, recipePath }) =>
    listAssets(recipe).map(({ name, path = name, url }) => ({ url, path: `${recipePath}.${path}` })),
  );
}
