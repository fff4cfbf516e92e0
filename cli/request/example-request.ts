import type { Recipe } from '../../core/recipes/recipe.ts';
import type { JobRequestView } from '../show/request-recipes.ts';
import { inputFields } from './build-request.ts';

/** The example of a recipe as a whole request, with as few inputs as it takes. */
export function exampleRequest(
  { name, example, inputCount }: Recipe,
  inputUrl: (index: number) => string,
): JobRequestView {
  const { output, recipe } = example;
  const urls = Array.from({ length: inputCount?.min ?? 1 }, (_, index) => inputUrl(index));
  return { mode: 'recipe', ...inputFields(urls), output, recipe: { ...recipe, name } };
}
