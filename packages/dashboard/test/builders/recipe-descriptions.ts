import type { OperationResult } from '@media-jobs/client';
import { recipes } from '@media-jobs/video/recipes';
import * as z from 'zod';

type RecipeDescription = OperationResult<'listRecipes'>['recipes'][number];

/** The recipes as `GET /api/v1/recipes` describes them, each with one input. */
export const recipeDescriptions: RecipeDescription[] = recipes.map(
  ({ name, title, description, parameters, formats, comparison, example }) => ({
    name,
    title,
    description,
    parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
    outputFormats: [...formats],
    comparison,
    exampleRequest: { mode: 'recipe', input: { url: 'https://media.example/in.mp4' }, ...example },
  }),
);

export function recipeNamed(name: string): RecipeDescription {
  const recipe = recipeDescriptions.find((candidate) => candidate.name === name);
  if (recipe === undefined) throw new Error(`Expected a recipe named ${name}, found none`);
  return recipe;
}

/** A recipe that joins several inputs. */
export const joiningRecipe: RecipeDescription = {
  ...recipeNamed('mute'),
  name: 'concat',
  exampleRequest: {
    inputs: [{ url: 'https://media.example/1.mp4' }, { url: 'https://media.example/2.mp4' }],
  },
};
