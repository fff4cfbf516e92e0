import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { issueMessage } from '@media-jobs/core/api';
import { findRecipe } from '@media-jobs/video/recipes';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { CliError } from '../cli-error.ts';
import { parsePair } from './parse-option.ts';
import { parseJsonOrText, parseParameter } from './parse-parameter.ts';
import { recipeParameters } from './recipe-parameters.ts';

/** The outputs of a job by name, as far as the command line knows them. The schema of the API validates the rest. */
export type Outputs = Record<string, { recipe: { name: string }; deliver?: unknown }>;

const outputsSchema = z.record(z.string(), z.looseObject({ recipe: z.looseObject({ name: z.string() }) }));

/**
 * The outputs of `--outputs`: JSON, or the path of a file of it. Outputs without a format have the first of their recipe.
 * @throws CliError `usage` if there is no such file, or it is not of this shape
 */
export async function readOutputs(text: string | undefined, workingDirectory: string): Promise<Outputs | undefined> {
  if (text === undefined) return undefined;
  const json = /^\s*\{/.test(text) ? text : await readFile(resolve(workingDirectory, text), 'utf8');
  const result = outputsSchema.safeParse(parseJsonOrText(json), { error: issueMessage });
  if (result.success) return result.data;
  const [{ path, message } = { path: [], message: '' }] = result.error.issues;
  throw new CliError('usage', `--outputs: ${[...path, message].join(': ')}`, {
    hint: 'The outputs are JSON, or a file of it, such as {"poster":{"recipe":{"name":"thumbnail"},"format":"jpg"}}.',
  });
}

/** Collects `--output name=…`, the text of each output by its name. */
export function collectOutput(text: string, before: Record<string, string> = {}): Record<string, string> {
  const outputs = parsePair(text, 'name=recipe:format');
  const [name = ''] = Object.keys(outputs);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`There are two outputs ${name}.`);
  return { ...before, ...outputs };
}

/** Fields of an output. Any other key is a parameter of its recipe. */
const fields = ['from', 'optional', 'deliver', 'when', 'key', 'keepDays'];

/**
 * Parses `recipe:format,key=value,…` of `--output`. A key is a parameter of the recipe, spelt as its option or as in the
 * API, or a field of the output; `tags.title` is a field of an object. A comma separates pairs only in front of a key, so that
 * lists need no quotes.
 */
export function parseOutput(text: string) {
  const [, name = '', format, pairs = ''] = /^([^:,]*)(?::([^,]*))?(?:,([\s\S]*))?$/.exec(text) ?? [];
  const schemas = new Map(recipeParametersOf(name));
  const output: Record<string, unknown> = {};
  const recipe: Record<string, unknown> & { name: string } = { name };
  for (const pair of pairs === '' ? [] : pairs.split(/,(?=[A-Za-z][\w.-]*=)/)) {
    const [, option = pair, inner, value = ''] = /^([^=.]+)(?:\.([^=]+))?=([\s\S]*)$/.exec(pair) ?? [];
    const key = option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const isField = fields.includes(key) && !schemas.has(key);
    const schema = schemas.get(key) ?? {};
    const target = isField ? output : recipe;
    if (inner !== undefined)
      target[key] = { ...Object(target[key]), [inner]: isField ? parseJsonOrText(value) : value };
    else if (key === 'from' || key === 'key') target[key] = value;
    else target[key] = isField ? parseJsonOrText(value) : parseParameter(booleanOrText(value), schema);
  }
  return { ...output, recipe, ...(format !== undefined && { format }) };
}

function recipeParametersOf(name: string) {
  const recipe = findRecipe(name);
  return recipe === undefined ? [] : recipeParameters(recipe).map((each) => [each.name, each.schema] as const);
}

function booleanOrText(value: string): string | boolean {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
