import { issueMessage } from '@media-jobs/core/api';
import type { Format } from '@media-jobs/video/media';
import type { Recipe } from '@media-jobs/video/recipes';
import { findRecipe, recipes } from '@media-jobs/video/recipes';
import { closestMatch } from 'leven';
import * as z from 'zod';
import { CliError } from '../cli-error.ts';
import { recipeLine } from '../formatting/recipe-goals.ts';
import { type Outputs, parseOutput } from './outputs.ts';
import { parseJsonOrText, parseParameter } from './parse-parameter.ts';
import { recipeParameters } from './recipe-parameters.ts';

/** `--preset` without `--recipe`, `--recipe` with its parameters as text, `--steps` as JSON, or outputs by name. */
export type RecipeArguments = {
  recipe?: string | undefined;
  parameters: Record<string, string | boolean>;
  steps?: string | undefined;
  /** The text of each output by its name. */
  output?: Record<string, string> | undefined;
  outputs?: Outputs | undefined;
  /** The parameters of a preset by their paths, as text. */
  set?: Record<string, string> | undefined;
};

const stepsSchema = z.array(z.looseObject({ recipe: z.looseObject({ name: z.string() }) })).min(1);

type ModeFields = {
  mode: string;
  defaultFormat: string | undefined;
  recipe?: object;
  steps?: unknown;
  outputs?: Outputs;
  preset?: string;
  parameters?: object;
};

/**
 * The mode of a request with its recipe, steps or outputs, and the output format to use if none is given.
 * @throws CliError `usage` for an unknown recipe or contradicting options
 */
export function recipeOrSteps({ set, ...requested }: RecipeArguments): ModeFields {
  const { recipe: name, parameters, steps, output, outputs } = requested;
  const option = steps === undefined ? '--outputs' : '--steps';
  const isSeveral = steps !== undefined || output !== undefined || outputs !== undefined;
  // Recipes have a parameter of this name.
  if (name === undefined && !isSeveral && typeof parameters.preset === 'string')
    return presetFields(parameters.preset, { ...parameters, preset: undefined }, set);
  if (set !== undefined) throw new CliError('usage', '--set needs --preset, and no --recipe.');
  if (isSeveral && (name !== undefined || Object.keys(parameters).length > 0)) {
    const message = `${option} cannot be combined with --recipe or with recipe parameters: each`;
    throw new CliError('usage', `${message} ${steps === undefined ? 'output' : 'step'} has its own.`);
  }
  if (output !== undefined || outputs !== undefined) {
    if (steps !== undefined) throw new CliError('usage', 'Give either --steps or --outputs.');
    return { mode: 'outputs', defaultFormat: undefined, outputs: allOutputs(output, outputs) };
  }
  if (steps === undefined) {
    if (name === undefined) {
      const hint = 'For example --recipe compress; "recipes" lists the recipes.';
      throw new CliError('usage', 'Give --recipe, --preset, --steps or --output.', { hint });
    }
    const recipe = requireRecipe(name);
    const request = { name, ...parseParameters(recipe, parameters) };
    return { mode: 'recipe', defaultFormat: firstFormat(request), recipe: request };
  }
  const result = stepsSchema.safeParse(parseJsonOrText(steps), { error: issueMessage });
  if (!result.success) {
    const [{ path, message } = { path: [], message: '' }] = result.error.issues;
    const position = path.length === 0 ? '' : `${path.join('.')}: `;
    throw new CliError('usage', `--steps: ${position}${message}`, {
      hint: 'The steps are JSON, such as [{"recipe":{"name":"mute"}}].',
    });
  }
  const last = result.data.at(-1)?.recipe;
  return { mode: 'pipeline', defaultFormat: last && firstFormat(last), steps: result.data };
}

function presetFields(preset: string, others: Record<string, unknown>, set: Record<string, string> = {}): ModeFields {
  const [foreign] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (foreign !== undefined)
    throw new CliError('usage', `--preset takes its parameters by --set: --set recipe.${foreign}=…`);
  return { mode: 'preset', defaultFormat: undefined, preset, ...(Object.keys(set).length > 0 && { parameters: set }) };
}

/** The outputs of both options, each with a format. */
function allOutputs(texts: Record<string, string> = {}, outputs: Outputs = {}): Outputs {
  const parsed = Object.entries(texts).map(([name, text]) => [name, parseOutput(text)] as const);
  return Object.fromEntries(
    [...Object.entries(outputs), ...parsed].map(([name, output]) => {
      requireRecipe(output.recipe.name);
      return [name, { format: firstFormat(output.recipe), ...output }];
    }),
  );
}

/** The first format of a recipe that its parameters allow: ProRes is possible in mov only. */
function firstFormat({ name, ...parameters }: { name: string }): string | undefined {
  const recipe = findRecipe(name);
  const { data } = recipe?.parameters.safeParse(parameters) ?? {};
  const isPossible = (format: Format) => data !== undefined && recipe?.conflicts(data, format).length === 0;
  return recipe?.formats.find(isPossible) ?? recipe?.formats[0];
}

export function requireRecipe(name: string): Recipe {
  const recipe = findRecipe(name);
  if (recipe !== undefined) return recipe;
  const names = recipes.map((known) => known.name);
  const typo = closestMatch(name, names, { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
  // A word such as podcast, which recipes are for.
  const isFor = (recipe: Recipe) => `${recipeLine(recipe)} ${recipe.description}`.toLowerCase().includes(name);
  const meant = name.length > 3 ? recipes.filter(isFor).map((known) => known.name) : [];
  const similar = typo ?? meant.join(' or ');
  const hint = similar === '' ? `The recipes are ${names.join(', ')}.` : `Did you mean ${similar}?`;
  throw new CliError('usage', `Unknown recipe: ${name}.`, { hint });
}

function parseParameters(recipe: Recipe, values: RecipeArguments['parameters']): Record<string, unknown> {
  const schemas = new Map(recipeParameters(recipe).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, parseParameter(value, schemas.get(name) ?? {})]),
  );
}
