import { issueMessage } from '@media-jobs/core/api';
import type { Recipe } from '@media-jobs/video/recipes';
import { findRecipe, recipes } from '@media-jobs/video/recipes';
import { closestMatch } from 'leven';
import * as z from 'zod';
import { CliError } from '../cli-error.ts';
import { parseJsonOrText, parseParameter } from './parse-parameter.ts';
import { recipeParameters } from './recipe-parameters.ts';

/** `--recipe` with its parameters as text, or `--steps` as JSON. */
export type RecipeArguments = {
  recipe?: string | undefined;
  parameters: Record<string, string | boolean>;
  steps?: string | undefined;
};

const stepsSchema = z.array(z.looseObject({ recipe: z.looseObject({ name: z.string() }) })).min(1);

type ModeFields = { mode: string; defaultFormat: string | undefined; recipe?: object; steps?: unknown };

/**
 * The mode of a request with its recipe or steps, and the output format to use if none is given.
 * @throws CliError `usage` for an unknown recipe or contradicting options
 */
export function recipeOrSteps({ recipe: name, parameters, steps }: RecipeArguments): ModeFields {
  if (steps === undefined) {
    if (name === undefined) throw new CliError('usage', 'Give either --recipe or --steps.');
    const recipe = requireRecipe(name);
    const request = { name, ...parseParameters(recipe, parameters) };
    return { mode: 'recipe', defaultFormat: recipe.formats[0], recipe: request };
  }
  if (name !== undefined || Object.keys(parameters).length > 0) {
    throw new CliError(
      'usage',
      '--steps cannot be combined with --recipe or with recipe parameters: each step has its own.',
    );
  }
  const result = stepsSchema.safeParse(parseJsonOrText(steps), { error: issueMessage });
  if (!result.success) {
    const [{ path, message } = { path: [], message: '' }] = result.error.issues;
    const position = path.length === 0 ? '' : `${path.join('.')}: `;
    throw new CliError('usage', `--steps: ${position}${message}`, {
      hint: 'The steps are JSON, such as [{"recipe":{"name":"mute"}}].',
    });
  }
  const lastRecipe = findRecipe(result.data.at(-1)?.recipe.name ?? '');
  return { mode: 'pipeline', defaultFormat: lastRecipe?.formats[0], steps: result.data };
}

/** @throws CliError `usage` for an unknown name */
export function requireRecipe(name: string): Recipe {
  const recipe = findRecipe(name);
  if (recipe !== undefined) return recipe;
  const names = recipes.map((known) => known.name);
  const similar = closestMatch(name, names, { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
  const hint = similar === undefined ? `The recipes are ${names.join(', ')}.` : `Did you mean ${similar}?`;
  throw new CliError('usage', `Unknown recipe: ${name}.`, { hint });
}

function parseParameters(recipe: Recipe, values: RecipeArguments['parameters']): Record<string, unknown> {
  const schemas = new Map(recipeParameters(recipe).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, parseParameter(value, schemas.get(name) ?? {})]),
  );
}
