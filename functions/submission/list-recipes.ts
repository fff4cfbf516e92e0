import type { Recipe } from '@media-jobs/video/recipes';
import * as z from 'zod';
import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { listRecipesContract } from '../../core/api/recipes.ts';

/** Lists the recipes, each with the JSON Schema of its parameters and an example request. */
export function listRecipes(recipes: readonly Recipe[]): RouteApp<typeof listRecipesContract> {
  const described = recipes.map(describe);
  return async () => ({ status: 200, body: { recipes: described } });
}

function describe({ name, title, description, parameters, formats, comparison, example, inputCount }: Recipe) {
  return {
    name,
    title,
    description,
    parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
    outputFormats: [...formats],
    comparison,
    exampleRequest: {
      mode: 'recipe',
      ...(inputCount
        ? { inputs: Array.from({ length: inputCount.min }, (_, index) => exampleInput(`input-${index + 1}`)) }
        : { input: exampleInput('input') }),
      ...example,
    },
  };
}

function exampleInput(name: string) {
  return { url: `https://example.com/${name}.mp4` };
}
