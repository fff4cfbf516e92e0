import * as z from 'zod';
import type { listRecipesContract } from '../../../core/api/recipes.ts';
import type { Recipe } from '../../../core/recipes/recipe.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export function listRecipes(recipes: readonly Recipe[]): RouteApp<typeof listRecipesContract> {
  const described = recipes.map(describe);
  return async () => ({ status: 200, body: { recipes: described } });
}

function describe({ name, title, description, parameters, formats, example }: Recipe) {
  return {
    name,
    title,
    description,
    parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
    outputFormats: [...formats],
    exampleRequest: { mode: 'recipe', input: { url: 'https://example.com/input.mp4' }, ...example },
  };
}
