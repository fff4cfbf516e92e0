import type { Recipe } from '../../core/recipes/recipe.ts';
import type { AnyRequest } from '../show/request-words.ts';
import { inputsOf } from './build-request.ts';

/** The example of a recipe as a whole request, with as few inputs as it takes. */
export function exampleRequest(
  { name, example, inputCount }: Recipe,
  inputUrl: (index: number) => string,
): AnyRequest {
  const { output, recipe } = example;
  const urls = Array.from({ length: inputCount?.least ?? 1 }, (_, index) => inputUrl(index));
  return { mode: 'recipe', ...inputsOf(urls), output, recipe: { ...recipe, name } };
}
