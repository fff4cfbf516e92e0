import { inputUrls, type JobResource, maxInputs, maxSteps } from '@media-jobs/core/api';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { isSourceSet, type Source } from './source.ts';

type RequestedJob = Pick<JobResource, 'request' | 'metadata'>;

/** A request in the shape of the API, which validates it. */
export type DraftRequest = JobResource['request'] & Pick<JobResource, 'preset' | 'metadata'>;

/** What the form sends as it is. Undefined for the default of the API. */
type JobOptions = Pick<DraftRequest, 'speed' | 'finishBy' | 'priority' | 'maxCostUsd' | 'keepDays' | 'metadata'>;

/** A recipe with its parameters. A parameter that takes a URL may also hold a file to upload. */
export type DraftStep = {
  recipe: RecipeDescription;
  parameters: Record<string, unknown>;
  /** The output name of the step's result; without one the result is an intermediate. */
  name?: string | undefined;
};

/** A step before the last. `id` identifies it in the form when steps are moved. */
type EarlierStep = DraftStep & { id: number };

/** One of several outputs of a job. `id` identifies it in the form. */
export type DraftOutput = DraftStep & {
  id: number;
  name: string;
  /** The output that it is made of; undefined for the source. */
  from?: string | undefined;
  format: string;
  options?: OutputOptions;
};

/** Fields of an output besides its recipe, also those of an original job that the form does not show. */
export type OutputOptions = {
  when?: Record<string, unknown> | undefined;
  optional?: boolean | undefined;
  deliver?: boolean | undefined;
  keepDays?: number | null | undefined;
};

/** The content of the form for a new job. */
export type Draft = JobOptions & {
  recipe: RecipeDescription;
  parameters: DraftStep['parameters'];
  /** In place of recipes: a version, and its parameters by their paths. */
  preset?: { preset: string; parameters: Record<string, unknown> } | undefined;
  /** One source, or several in order for a recipe that joins them. */
  sources: readonly Source[];
  earlierSteps: readonly EarlierStep[];
  /** The outputs besides that of the recipe, which has a name if there are any. */
  outputs: readonly DraftOutput[];
  name: string;
  /** Of the first output, if there are several. */
  options?: OutputOptions;
  from?: string | undefined;
  format: string;
  /** Where the files go. Undefined for the default of the settings, null for the bucket of the stage. */
  storage: { storageProviderId?: string | null; key: string };
  webhookUrl: string;
};

/** How many inputs a recipe takes, according to its example. */
export function inputCountRange({ exampleRequest }: RecipeDescription): { min: number; max: number } {
  const { inputs } = exampleRequest;
  return Array.isArray(inputs) ? { min: inputs.length, max: maxInputs } : { min: 1, max: 1 };
}

/** Whether a recipe joins several inputs. Such a recipe cannot be a step of a pipeline. */
export function acceptsMultipleInputs(recipe: RecipeDescription): boolean {
  return inputCountRange(recipe).max > 1;
}

/** The empty form for a recipe. */
export function newDraft(recipe: RecipeDescription): Draft {
  const texts = { format: '', storage: { key: '' }, webhookUrl: '' };
  return withRecipe(
    { sources: [], earlierSteps: [], outputs: [], name: 'main', recipe, parameters: {}, ...texts },
    recipe,
  );
}

/** All steps in order, including the last one. */
export function allSteps({ earlierSteps, recipe, parameters }: Draft): DraftStep[] {
  return [...earlierSteps, { recipe, parameters }];
}

/** Every recipe of a draft, with its path in the request. */
export function draftRecipes(draft: Draft): { step: DraftStep; path: string }[] {
  const { outputs } = draft;
  const steps = allSteps(draft);
  if (outputs.length === 0) return steps.map((step, index) => ({ step, path: stepRecipePath(index, steps.length) }));
  return [{ ...draft }, ...outputs].map((step) => ({ step, path: outputRecipePath(step.name) }));
}

/** The path of an output's recipe in the request. */
export function outputRecipePath(name: string): string {
  return `outputs.${name}.recipe`;
}

/** The path of the recipe of the only or last step, or of the first output. */
export function mainRecipePath({ outputs, name, earlierSteps }: Draft): string {
  return outputs.length > 0 ? outputRecipePath(name) : stepRecipePath(earlierSteps.length, earlierSteps.length + 1);
}

/** Appends an output with a name of its own. */
export function addOutput({ outputs }: Draft, recipe: RecipeDescription): DraftOutput[] {
  const id = 1 + Math.max(0, ...outputs.map((output) => output.id));
  const format = recipe.outputFormats[0] ?? 'mp4';
  return [...outputs, { ...newStep(recipe), id, name: `output-${id + 1}`, format }];
}

/** Changes the recipe of the last step and resets its parameters. */
export function withRecipe(draft: Draft, recipe: RecipeDescription): Draft {
  const { min, max } = inputCountRange(recipe);
  const sources = draft.sources.filter(isSourceSet).slice(0, max);
  const missing = Array.from({ length: Math.max(0, min - sources.length) }, () => '');
  return {
    ...draft,
    ...newStep(recipe),
    sources: [...sources, ...missing],
    format: recipe.outputFormats.includes(draft.format) ? draft.format : (recipe.outputFormats[0] ?? 'mp4'),
  };
}

/** A step with the defaults of its recipe. */
export function newStep(recipe: RecipeDescription): DraftStep {
  return { recipe, parameters: requiredNumbers(recipe) };
}

/** The example values of required numbers, which have no default to start from. */
function requiredNumbers({ parameters, exampleRequest }: RecipeDescription): Record<string, unknown> {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const example = exampleRequest.recipe;
  if (typeof example !== 'object' || example === null) return {};
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => required.includes(name) && typeof value === 'number'),
  );
}

export function canAddStep(steps: readonly EarlierStep[]): boolean {
  return steps.length + 1 < maxSteps;
}

/** Appends a step under a new id. */
export function addStep(steps: readonly EarlierStep[], step: DraftStep): EarlierStep[] {
  return [...steps, { ...step, id: 1 + Math.max(-1, ...steps.map(({ id }) => id)) }];
}

/** The path of a step's recipe in the request, which prefixes the paths of its problems. */
export function stepRecipePath(index: number, stepCount: number): string {
  return stepCount === 1 ? 'recipe' : `steps.${index}.recipe`;
}

/** A draft with the request of a job; undefined if the job has a recipe that `recipes` lacks. */
export function draftFromJob(
  { request, metadata }: RequestedJob,
  recipes: readonly RecipeDescription[],
): Draft | undefined {
  const { output, outputs, recipe: only, steps = [], webhookUrl = '' } = request;
  const { speed, finishBy, priority, maxCostUsd, keepDays = output?.keepDays } = request;
  const options = { speed, finishBy, priority, maxCostUsd, keepDays, metadata };
  const common = { ...options, webhookUrl, sources: inputUrls(request) };
  const known = ({ name, recipe: { name: wanted, ...parameters } }: RequestedStep): DraftStep[] =>
    recipes.filter((recipe) => recipe.name === wanted).map((recipe) => ({ recipe, parameters, name }));
  if (outputs !== undefined) {
    // The first output takes the place of the recipe. Each keeps what the form does not show.
    const found = Object.entries(outputs).flatMap(([name, { recipe, format, from, ...rest }], id): DraftOutput[] =>
      known({ recipe }).map((step) => ({ ...step, id, name, format, from, options: rest })),
    );
    const [first, ...others] = found;
    if (first === undefined || found.length < Object.keys(outputs).length) return undefined;
    return { ...common, earlierSteps: [], outputs: others, storage: { key: '' }, ...first };
  }
  const requested: RequestedStep[] = only === undefined ? steps : [{ recipe: only }];
  const found = requested.flatMap(known);
  const last = found.at(-1);
  if (last === undefined || output === undefined || found.length < requested.length) return undefined;
  const { format, storageProviderId, key = '' } = output;
  const earlierSteps = found.slice(0, -1).map((step, id) => ({ ...step, id }));
  const { recipe, parameters } = last;
  const storage = { storageProviderId, key };
  return { ...common, earlierSteps, outputs: [], name: 'main', recipe, parameters, format, storage };
}

type RequestedStep = { name?: string | undefined; recipe: { name: string } };
