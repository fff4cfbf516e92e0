import type { OperationResult } from '../../client/operation.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { Speed } from '../../core/jobs/speeds.ts';
import { type DraftStep, type EarlierStep, newStep } from './draft-step.ts';
import { displayUrl, isSourceSet, type Source } from './source.ts';

export type RecipeDescription = OperationResult<'listRecipes'>['recipes'][number];

/** What a draft says in the words of the API, which alone judges whether it is right. */
export type DraftRequest = {
  mode: 'recipe' | 'pipeline';
  input?: { url: string };
  inputs?: { url: string }[];
  output: { format: string };
  recipe?: { name: string };
  steps?: { name?: string; recipe: { name: string } }[];
  webhookUrl?: string;
  speed?: Speed;
  metadata?: Record<string, string>;
};

/** A job that is being put together. */
export type Draft = Pick<DraftStep, 'recipe' | 'parameters'> & {
  /** One, or for the recipes that join several, in their order. */
  sources: readonly Source[];
  /** What is done before the recipe, each step with what the last one made. */
  earlierSteps: readonly EarlierStep[];
  format: string;
  webhookUrl: string;
  /** Undefined where the API's own default is meant. */
  speed?: Speed | undefined;
  /** Of the job that it is like; the form does not change it. */
  metadata?: Record<string, string> | undefined;
};

/** As many as the API takes. */
const mostInputs = 20;

/** How many inputs a recipe takes: its own example tells. */
export function inputCountRange({ exampleRequest }: RecipeDescription): { least: number; most: number } {
  const { inputs } = exampleRequest;
  return Array.isArray(inputs) ? { least: inputs.length, most: mostInputs } : { least: 1, most: 1 };
}

/** Whether a recipe joins several inputs; it is never one step of many. */
export function acceptsMultipleInputs(recipe: RecipeDescription): boolean {
  return inputCountRange(recipe).most > 1;
}

/** An empty draft of a recipe, with the values that the recipe begins with. */
export function newDraft(recipe: RecipeDescription): Draft {
  return withRecipe(
    { sources: [], earlierSteps: [], recipe, format: '', parameters: {}, webhookUrl: '' },
    recipe,
  );
}

/** All that is done with the input, in its order. */
export function allSteps({ earlierSteps, recipe, parameters }: Draft): DraftStep[] {
  return [...earlierSteps, { recipe, parameters }];
}

/** The same input under another recipe, whose parameters are its own. */
export function withRecipe(draft: Draft, recipe: RecipeDescription): Draft {
  const { least, most } = inputCountRange(recipe);
  const given = draft.sources.filter(isSourceSet).slice(0, most);
  const missing = Array.from({ length: Math.max(0, least - given.length) }, () => '');
  return {
    ...draft,
    ...newStep(recipe),
    sources: [...given, ...missing],
    format: recipe.outputFormats.includes(draft.format) ? draft.format : (recipe.outputFormats[0] ?? 'mp4'),
  };
}

/** A draft that asks for what a job has asked for. */
export function draftFromJob(job: JobResource, recipes: readonly RecipeDescription[]): Draft | undefined {
  const { output, webhookUrl = '', speed, recipe: only, steps = [] } = job.request;
  const asked = only === undefined ? steps : [{ recipe: only }];
  const found = asked.flatMap(({ name: kept, recipe: { name, ...parameters } }: Asked): DraftStep[] => {
    const recipe = recipes.find((one) => one.name === name);
    return recipe === undefined ? [] : [{ recipe, parameters, name: kept }];
  });
  const last = found.at(-1);
  if (last === undefined || found.length < asked.length) return undefined;
  const sources = inputUrls(job.request);
  const rest = { format: output.format, webhookUrl, speed, metadata: job.metadata };
  const earlierSteps = found.slice(0, -1).map((step, id) => ({ ...step, id }));
  return { ...rest, sources, earlierSteps, recipe: last.recipe, parameters: last.parameters };
}

type Asked = { name?: string | undefined; recipe: { name: string } };

/**
 * The request that the draft stands for; the API checks it against its contract.
 * @param urlOf the URL of each source, by which the files that were uploaded are named
 */
export function draftToRequest(draft: Draft, urlOf: (source: Source) => string = displayUrl): DraftRequest {
  const { sources, recipe, format, webhookUrl, speed, metadata } = draft;
  const inputs = sources.map((source) => ({ url: urlOf(source) }));
  const [input = { url: '' }] = inputs;
  const steps = allSteps(draft).map((step) => ({
    ...(step.name === undefined ? {} : { name: step.name }),
    recipe: { name: step.recipe.name, ...withUrls(step.parameters, urlOf) },
  }));
  const [first, ...more] = steps;
  const isOne = first !== undefined && more.length === 0;
  return {
    mode: isOne ? 'recipe' : 'pipeline',
    ...(acceptsMultipleInputs(recipe) ? { inputs } : { input }),
    output: { format },
    ...(isOne ? { recipe: first.recipe } : { steps }),
    ...(webhookUrl.trim() === '' ? {} : { webhookUrl: webhookUrl.trim() }),
    ...(speed === undefined ? {} : { speed }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function withUrls(parameters: DraftStep['parameters'], urlOf: (source: Source) => string): object {
  const named = Object.entries(parameters).map(([name, value]) => [
    name,
    value instanceof File ? urlOf(value) : value,
  ]);
  return Object.fromEntries(named);
}

/** The files that have to be uploaded before the request can be sent, each once. */
export function filesToUpload(draft: Draft): File[] {
  const all = [...draft.sources, ...allSteps(draft).flatMap(({ parameters }) => Object.values(parameters))];
  return [...new Set(all.filter((one) => one instanceof File))];
}
