import type { MediaFile } from '../../../src/encoding/plan.ts';
import { findRecipe, listAssets, type RecipeRequest } from '../../../src/recipes/registry.ts';
import { anImageProbe, aProbe, aSubtitleStream } from '../media/a-probe.ts';
import { exampleProbe } from './example-probe.ts';

type Files = { inputs: MediaFile[]; assets: Record<string, MediaFile> };

/** The inputs and assets that the example of a recipe needs. */
export function exampleFiles(request: RecipeRequest): Files {
  const { min } = findRecipe(request.name)?.inputCount ?? { min: 1 };
  const probe = exampleProbe(request.name);
  const inputs = Array.from({ length: min }, (_, index) => ({ path: `/job/input-${index + 1}`, probe }));
  const assets = listAssets(request).map(({ name, kind }): [string, MediaFile] => [
    name,
    { path: `/job/${name}`, probe: kind === 'media' ? anImageProbe() : subtitleFile },
  ]);
  return { inputs, assets: Object.fromEntries(assets) };
}

const subtitleFile = aProbe([aSubtitleStream({ index: 0 })], { container: 'srt' });
