import type { OperationResult } from '../../client/operation.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { Speed } from '../../core/chunks/speeds.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { isGiven, type Source, shownUrl } from './source.ts';

export type RecipeDescription = OperationResult<'listRecipes'>['recipes'][number];

/** What a draft says in the words of the API, which alone judges whether it is right. */
export type DraftRequest = {
  mode: 'recipe';
  input?: { url: string };
  inputs?: { url: string }[];
  output: { format: string };
  recipe: { name: string };
  webhookUrl?: string;
  speed?: Speed;
  metadata?: Record<string, string>;
};

/** A job that is being put together. */
export type Draft = {
  /** One, or for the recipes that join several, in their order. */
  sources: readonly Source[];
  recipe: RecipeDescription;
  format: string;
  /** What was chosen, where it is media also as a file; the recipe decides the rest. */
  parameters: Record<string, unknown>;
  webhookUrl: string;
  /** Undefined where the API's own default is meant. */
  speed?: Speed | undefined;
  /** Of the job that it is like; the form does not change it. */
  metadata?: Record<string, string> | undefined;
};

/** As many as the API takes. */
const mostInputs = 20;

/** How many inputs a recipe takes: its own example tells. */
export function inputsWanted({ exampleRequest }: RecipeDescription): { least: number; most: number } {
  const { inputs } = exampleRequest;
  return Array.isArray(inputs) ? { least: inputs.length, most: mostInputs } : { least: 1, most: 1 };
}

export function newDraft(recipe: RecipeDescription): Draft {
  return withRecipe({ sources: [], recipe, format: '', parameters: {}, webhookUrl: '' }, recipe);
}

/** The same input under another recipe, whose parameters are its own. */
export function withRecipe(draft: Draft, recipe: RecipeDescription): Draft {
  const { least, most } = inputsWanted(recipe);
  const given = draft.sources.filter(isGiven).slice(0, most);
  const missing = Array.from({ length: Math.max(0, least - given.length) }, () => '');
  return {
    ...draft,
    recipe,
    sources: [...given, ...missing],
    parameters: examplesOfRequired(recipe),
    format: recipe.outputFormats.includes(draft.format) ? draft.format : (recipe.outputFormats[0] ?? 'mp4'),
  };
}

/** A draft that asks for what a job has asked for. */
export function draftLike(job: JobResource, recipes: readonly RecipeDescription[]): Draft | undefined {
  const { name, ...parameters } = job.request.recipe ?? {};
  const recipe = recipes.find((one) => one.name === name);
  if (recipe === undefined) return undefined;
  const { output, webhookUrl = '', speed } = job.request;
  const sources = inputUrls(job.request);
  return { sources, recipe, format: output.format, parameters, webhookUrl, speed, metadata: job.metadata };
}

/**
 * The request that the draft stands for; the API checks it against its contract.
 * @param urlOf the URL of each source, by which the files that were uploaded are named
 */
export function requestOf(draft: Draft, urlOf: (source: Source) => string = shownUrl): DraftRequest {
  const { sources, recipe, format, parameters, webhookUrl, speed, metadata } = draft;
  const inputs = sources.map((source) => ({ url: urlOf(source) }));
  const [input = { url: '' }] = inputs;
  const named = Object.entries(parameters).map(([name, value]) => [
    name,
    value instanceof File ? urlOf(value) : value,
  ]);
  return {
    mode: 'recipe',
    ...(inputsWanted(recipe).most > 1 ? { inputs } : { input }),
    output: { format },
    recipe: { name: recipe.name, ...Object.fromEntries(named) },
    ...(webhookUrl.trim() === '' ? {} : { webhookUrl: webhookUrl.trim() }),
    ...(speed === undefined ? {} : { speed }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The files that have to be uploaded before the request can be sent, each once. */
export function filesOf({ sources, parameters }: Draft): File[] {
  const all = [...sources, ...Object.values(parameters)];
  return [...new Set(all.filter((one) => one instanceof File))];
}

/** Where there is no default to leave a number or a choice at, its form begins with that of the recipe's example. */
function examplesOfRequired({ parameters, exampleRequest }: RecipeDescription): Record<string, unknown> {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const example = exampleRequest.recipe;
  if (typeof example !== 'object' || example === null) return {};
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => required.includes(name) && typeof value === 'number'),
  );
}
