import * as z from 'zod';
import type { Recipe } from '../../core/recipes/recipe.ts';
import { findRecipe, recipes } from '../../core/recipes/registry.ts';
import { CliError } from '../cli-error.ts';
import { parseJsonOrText, parseParameter } from './parse-parameter.ts';
import { recipeParameters } from './recipe-parameters.ts';

/** One recipe and its parameters as they were typed, or steps as JSON. */
export type RecipeArguments = {
  recipe?: string | undefined;
  parameters: Record<string, string | boolean>;
  steps?: string | undefined;
};

const stepsSchema = z.array(z.looseObject({ recipe: z.looseObject({ name: z.string() }) })).min(1);

type Work = { mode: string; defaultFormat: string | undefined; recipe?: object; steps?: unknown };

/**
 * What is to be done, and the format that it comes in unless another is asked for.
 * @throws CliError `usage` where the recipe is not known, or the options contradict each other
 */
export function recipeOrSteps({ recipe: name, parameters, steps }: RecipeArguments): Work {
  if (steps === undefined) {
    if (name === undefined) throw new CliError('usage', 'Say what to do, by --recipe or by --steps.');
    const recipe = requireRecipe(name);
    const request = { name, ...parametersFor(recipe, parameters) };
    return { mode: 'recipe', defaultFormat: recipe.formats[0], recipe: request };
  }
  if (name !== undefined || Object.keys(parameters).length > 0) {
    throw new CliError(
      'usage',
      'Beside --steps there is no other recipe and no parameter: each step has its own.',
    );
  }
  const read = stepsSchema.safeParse(parseJsonOrText(steps));
  if (!read.success) throw new CliError('usage', `--steps: ${read.error.issues[0]?.message}`);
  const last = findRecipe(read.data.at(-1)?.recipe.name ?? '');
  return { mode: 'pipeline', defaultFormat: last?.formats[0], steps: read.data };
}

/** @throws CliError `usage` where no recipe has the name */
export function requireRecipe(name: string): Recipe {
  const recipe = findRecipe(name);
  if (recipe !== undefined) return recipe;
  const names = recipes.map((one) => one.name).join(', ');
  throw new CliError('usage', `No recipe is called ${name}.`, { hint: `There are ${names}.` });
}

function parametersFor(recipe: Recipe, typed: RecipeArguments['parameters']): Record<string, unknown> {
  const schemas = new Map(recipeParameters(recipe).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, parseParameter(value, schemas.get(name) ?? {})]),
  );
}
