import type { MediaFile } from '../../core/recipes/recipe.ts';
import { assetsOf, findRecipe, type RecipeRequest } from '../../core/recipes/registry.ts';
import { aProbe, aStillProbe, aSubtitleStream } from './a-probe.ts';
import { exampleInput } from './example-input.ts';

type Files = { inputs: MediaFile[]; assets: Record<string, MediaFile> };

/** As many inputs as the example of a recipe needs, and the files that it names. */
export function exampleFiles(request: RecipeRequest): Files {
  const { least } = findRecipe(request.name)?.inputCount ?? { least: 1 };
  const probe = exampleInput(request.name);
  const inputs = Array.from({ length: least }, (_, index) => ({ path: `/job/input-${index + 1}`, probe }));
  const assets = assetsOf(request).map(({ name, kind }): [string, MediaFile] => [
    name,
    { path: `/job/${name}`, probe: kind === 'media' ? aStillProbe() : subtitleFile },
  ]);
  return { inputs, assets: Object.fromEntries(assets) };
}

const subtitleFile = aProbe([aSubtitleStream({ index: 0 })], { container: 'srt' });
