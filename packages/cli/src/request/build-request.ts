import type { OperationRequest } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { issueMessage, parseStorageUrl, submittedJobSchema } from '@media-jobs/core/api';
import type { Speed } from '@media-jobs/video/encoding';
import { findRecipe, type Recipe } from '@media-jobs/video/recipes';
import type * as z from 'zod';
import { CliError } from '../cli-error.ts';
import { optionName } from '../formatting/command-line.ts';
import type { Outputs } from './outputs.ts';
import type { KeepDays } from './parse-number.ts';
import { type RecipeArguments, recipeOrSteps } from './recipe-or-steps.ts';
import { recipeParameters, valueForm } from './recipe-parameters.ts';

export type JobBody = OperationRequest<'createJob'>['body'];

/** Arguments of `submit` that become fields of the request. */
export type RequestArguments = RecipeArguments & {
  inputUrls: readonly string[];
  format?: string | undefined;
  /** False for the bucket of the service. */
  outputProvider?: string | false | undefined;
  outputKey?: string | undefined;
  outputCacheControl?: string | undefined;
  outputContentDisposition?: string | undefined;
  outputStorageClass?: string | undefined;
  outputTag?: Record<string, string> | undefined;
  webhookUrl?: string | undefined;
  speed?: Speed | undefined;
  finishBy?: string | undefined;
  priority?: number | undefined;
  maxCostUsd?: number | undefined;
  keepDays?: KeepDays | undefined;
  metadata?: Record<string, string> | undefined;
};

/**
 * Builds the request body and validates it with the schema of the API.
 * @throws CliError `usage` with the messages of the schema
 */
export function buildRequest(requestArguments: RequestArguments): JobBody {
  const { inputUrls, webhookUrl, speed, finishBy, priority, maxCostUsd, keepDays, metadata } = requestArguments;
  const { defaultFormat, outputs, ...modeFields } = recipeOrSteps(requestArguments);
  const body = {
    ...modeFields,
    ...inputFields(inputUrls),
    ...(modeFields.mode === 'preset' ? {} : resultFields(requestArguments, { defaultFormat, outputs })),
    webhookUrl,
    speed,
    finishBy,
    priority,
    maxCostUsd,
    ...(keepDays === undefined ? {} : { keepDays: keepDays === 'forever' ? null : keepDays }),
    metadata,
  };
  const result = submittedJobSchema.safeParse(body, { error: issueMessage });
  if (result.success) return body as JobBody;
  const { issues } = result.error;
  const found = issues.map((issue) => formDetail(issue, requestArguments) ?? toDetail(issue, body));
  const details = [...new Map(found.map((detail) => [`${detail.path} ${detail.message}`, detail])).values()];
  const message = details.map(({ path, message: text }) => `${path}: ${text}`).join('; ');
  throw new CliError('usage', message, { details, hint: recipeHint(body, issues) });
}

/** The command that helps with an issue of a recipe: it shows the options of that recipe, or all recipes. */
function recipeHint(body: object, issues: readonly z.core.$ZodIssue[]): string | undefined {
  for (const { path } of issues) {
    const index = path[0] === 'output' ? 0 : path.indexOf('recipe');
    if (index === -1 || (path[0] === 'output' && path[1] !== 'format')) continue;
    const recipe = recipeAt(body, [...path.slice(0, index), 'recipe']);
    if (recipe !== undefined) return `"recipes ${recipe.name}" shows the options of this recipe.`;
    return '"recipes" lists the recipes.';
  }
  return undefined;
}

function recipeAt(body: object, path: readonly PropertyKey[]): Recipe | undefined {
  const { name } = Object(path.reduce<unknown>((value, key) => Object(value)[key], body));
  return findRecipe(name);
}

/** The error for an option whose text has the wrong form: it says what the form is. */
function formDetail({ code, path: [field, name] }: z.core.$ZodIssue, { recipe, parameters }: RecipeArguments) {
  const known = findRecipe(recipe ?? '');
  if (code !== 'invalid_type' || field !== 'recipe' || known === undefined) return undefined;
  const schema = recipeParameters(known).find((parameter) => parameter.name === name)?.schema;
  const text = parameters[String(name)];
  const form = schema && valueForm(schema);
  if (form === undefined || typeof text !== 'string' || /^\s*[[{]/.test(text)) return undefined;
  return { path: `--${optionName(String(name))}`, message: `Must be ${form}; found ${text.replaceAll('\n', ', ')}` };
}

function resultFields(
  requestArguments: RequestArguments,
  { defaultFormat, outputs }: { defaultFormat: string | undefined; outputs: Outputs | undefined },
) {
  if (outputs !== undefined) return { outputs: withPlace(outputs, requestArguments) };
  return { output: { format: requestArguments.format ?? defaultFormat, ...placeFields(requestArguments) } };
}

/** Outputs with the options that hold for each that is delivered and has no value of its own. */
function withPlace(outputs: Outputs, requestArguments: RequestArguments): Outputs {
  if (requestArguments.format !== undefined)
    throw new CliError('usage', 'Give the format of each output: --output name=recipe:format.');
  const place = placeFields(requestArguments);
  const placed = Object.entries(outputs).map(([name, output]) => [
    name,
    output.deliver === false ? output : { ...place, ...output },
  ]);
  return Object.fromEntries(placed);
}

function placeFields({
  outputProvider,
  outputKey,
  outputStorageClass,
  outputTag,
  outputCacheControl: cacheControl,
  outputContentDisposition: contentDisposition,
}: RequestArguments) {
  return {
    ...(outputProvider === undefined ? {} : { storageProviderId: outputProvider || null }),
    ...(outputKey === undefined ? {} : { key: outputKey }),
    ...((cacheControl ?? contentDisposition) ? { headers: { cacheControl, contentDisposition } } : {}),
    ...(outputStorageClass === undefined ? {} : { storageClass: outputStorageClass }),
    ...(outputTag === undefined ? {} : { tags: outputTag }),
  };
}

function inputFields(urls: readonly string[]) {
  const inputs = urls.map((url) => parseStorageUrl(url) ?? { url });
  return inputs.length === 1 ? { input: inputs[0] } : { inputs };
}

/** Options whose names are not those of the fields of `output`. */
const outputOptions: Readonly<Record<string, string>> = {
  storageProviderId: 'output-provider',
  key: 'output-key',
  storageClass: 'output-storage-class',
  tags: 'output-tag',
  cacheControl: 'output-cache-control',
  contentDisposition: 'output-content-disposition',
};

/** Names the option that an issue is about instead of the field. */
function toDetail(issue: z.core.$ZodIssue, body: { inputs?: readonly unknown[] }): { path: string; message: string } {
  const unknownKey = issue.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
  const [field = '', name = '', ...rest] = [...issue.path, ...unknownKey].map(String);
  const recipe = issue.path.at(-1) === 'recipe' ? recipeAt(body, issue.path) : undefined;
  const unknown = recipe === undefined ? 'Unknown field' : unknownParameter(recipe);
  const message = unknownKey.length === 0 ? issue.message : unknown;
  const outputOption = field === 'output' ? outputOptions[name === 'headers' ? (rest[0] ?? '') : name] : undefined;
  if (outputOption !== undefined) return { path: `--${outputOption}`, message };
  if (field === 'recipe' || field === 'output') return inOption(name, rest, message);
  // The advice after the colon names fields of the API.
  if (field === 'input' || field === 'inputs') {
    return { path: 'input', message: message.replace(/(takes .*): .*$/, `$1; found ${body.inputs?.length ?? 1}`) };
  }
  return inOption(field, [name, ...rest], message);
}

/** Lists the parameters of the recipe as options. */
function unknownParameter(recipe: Recipe): string {
  const options = recipeParameters(recipe).map(({ name }) => `--${optionName(name)}`);
  return `The recipe has no such parameter${options.length === 0 ? '' : `; it has ${options.join(', ')}`}`;
}

/** Names an option, and the path in its JSON if there is one. */
function inOption(field: string, keys: readonly string[], message: string): { path: string; message: string } {
  const path = keys.filter((key) => key !== '').join('.');
  return { path: `--${optionName(field)}`, message: path === '' ? message : `${path}: ${message}` };
}

/** The example of a recipe as a complete request, with its minimum number of inputs. */
export function exampleRequest(
  { name, example, inputCount }: Recipe,
  inputUrl: (index: number) => string,
): JobResource['request'] {
  const { output, recipe } = example;
  const urls = Array.from({ length: inputCount?.min ?? 1 }, (_, index) => inputUrl(index));
  return { mode: 'recipe', ...inputFields(urls), output, recipe: { ...recipe, name } };
}
