import {
  acceptsMultipleInputs,
  allSteps,
  type Draft,
  type DraftOutput,
  type DraftRequest,
  type DraftStep,
  draftRecipes,
} from './draft.ts';
import { displayUrl, type Source, toInput } from './source.ts';

/** @param urlOf the URL of each source; uploaded files have one of their own */
export function draftToRequest(draft: Draft, urlOf: (source: Source) => string = displayUrl): DraftRequest {
  const { sources, recipe, format, storage, webhookUrl, speed, finishBy, priority, maxCostUsd } = draft;
  const { keepDays, metadata } = draft;
  const target = webhookUrl.trim() || undefined;
  const common = { webhookUrl: target, speed, finishBy, priority, maxCostUsd, keepDays, metadata };
  const inputs = sources.map((source) => toInput(urlOf(source)));
  const [input = { url: '' }] = inputs;
  if (draft.preset !== undefined) return { mode: 'preset', ...draft.preset, input, ...common, keepDays: undefined };
  if (draft.outputs.length > 0) {
    const outputs = [draft, ...draft.outputs].map((output) => [output.name, requestedOutput(output, storage, urlOf)]);
    return { mode: 'outputs', input, outputs: Object.fromEntries(outputs), ...common };
  }
  const steps = allSteps(draft).map((step) => ({
    name: step.name,
    recipe: { name: step.recipe.name, ...withUrls(step.parameters, urlOf) },
  }));
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

function requestedOutput(
  { from, recipe, parameters, format, options }: Omit<DraftOutput, 'id' | 'name'>,
  storage: Draft['storage'],
  urlOf: (source: Source) => string,
) {
  return {
    ...(from !== undefined && { from }),
    recipe: { name: recipe.name, ...withUrls(parameters, urlOf) },
    format,
    ...outputStorage(storage),
    ...options,
  };
}

function outputStorage({ storageProviderId, key }: Draft['storage']) {
  return {
    storageProviderId,
    ...(key.trim() === '' ? {} : { key: key.trim() }),
  };
}

function withUrls(parameters: DraftStep['parameters'], urlOf: (source: Source) => string): object {
  return valueWithUrls(parameters, urlOf) as object;
}

/** A value with the URL of each file in it, however deep it is. */
function valueWithUrls(value: unknown, urlOf: (source: Source) => string): unknown {
  if (value instanceof File) return urlOf(value) || undefined;
  if (Array.isArray(value)) return value.map((item) => valueWithUrls(item, urlOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, valueWithUrls(item, urlOf)]));
}

function filesIn(value: unknown): File[] {
  if (value instanceof File) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
}

/** The files to upload before the request can be sent, without duplicates. */
export function filesToUpload(draft: Draft): File[] {
  return [...new Set(filesIn([draft.sources, draftRecipes(draft).map(({ step }) => step.parameters)]))];
}
