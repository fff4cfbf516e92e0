import {
  acceptsMultipleInputs,
  allSteps,
  type Draft,
  type DraftRequest,
  type DraftStep,
  draftRecipes,
} from './draft.ts';
import { displayUrl, type Source, toInput } from './source.ts';

type UrlOf = (source: Source) => string;

/** @param urlOf the URL of each source; uploaded files have one of their own */
export function draftToRequest(draft: Draft, urlOf: UrlOf = displayUrl): DraftRequest {
  const { sources, recipe, format, storage, webhookUrl, speed, finishBy, priority, maxCostUsd } = draft;
  const { keepDays, metadata } = draft;
  const target = webhookUrl.trim() || undefined;
  const common = { webhookUrl: target, speed, finishBy, priority, maxCostUsd, keepDays, metadata };
  const inputs = sources.map((source) => toInput(urlOf(source)));
  const [input = { url: '' }] = inputs;
  if (draft.preset !== undefined) return { mode: 'preset', ...draft.preset, input, ...common, keepDays: undefined };
  if (draft.outputs.length > 0) {
    const outputs = [draft, ...draft.outputs].map((output) => {
      const { name, from, format, options } = output;
      return [name, { from, recipe: toRecipe(output, urlOf), format, ...outputStorage(storage), ...options }];
    });
    return { mode: 'outputs', input, outputs: Object.fromEntries(outputs), ...common };
  }
  const steps = allSteps(draft).map((step) => ({ name: step.name, recipe: toRecipe(step, urlOf) }));
  const [first] = steps;
  const isSingle = steps.length === 1 && first !== undefined;
  return {
    mode: isSingle ? 'recipe' : 'pipeline',
    ...(acceptsMultipleInputs(recipe) ? { inputs } : { input }),
    output: { format, ...outputStorage(storage) },
    ...(isSingle ? { recipe: first.recipe } : { steps }),
    ...common,
  };
}

function outputStorage({ storageProviderId, key }: Draft['storage']) {
  return { storageProviderId, key: key.trim() || undefined };
}

function toRecipe({ recipe, parameters }: DraftStep, urlOf: UrlOf) {
  return { name: recipe.name, ...(withUrls(parameters, urlOf) as object) };
}

/** A value with the URL of each file in it, however deep it is. */
function withUrls(value: unknown, urlOf: UrlOf): unknown {
  if (value instanceof File) return urlOf(value) || undefined;
  if (Array.isArray(value)) return value.map((item) => withUrls(item, urlOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withUrls(item, urlOf)]));
}

function filesIn(value: unknown): File[] {
  if (value instanceof File) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
}

/** The files to upload before the request can be sent, without duplicates. */
export function filesToUpload(draft: Draft): File[] {
  return [...new Set(filesIn([draft.sources, draftRecipes(draft).map(({ step }) => step.parameters)]))];
}
