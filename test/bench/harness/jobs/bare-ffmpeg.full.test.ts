import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withBareRuns } from '../../../../bench/harness/jobs/bare-ffmpeg.ts';
import { recipeRequestSchema, recipes } from '../../../../core/recipes/registry.ts';
import { clipWith } from '../../../builders/media/clips.ts';

it.each(['hls', 'sprite'])('every output of a bare run of %s is a file', async (name) => {
  const { example } = recipes.find((recipe) => recipe.name === name) ?? {};
  if (example === undefined) throw new Error(`Expected a recipe ${name}`);
  const recipe = recipeRequestSchema.parse(example.recipe);
  const files = { inputs: [await clipWith()] };
  await withBareRuns({ files, recipe, format: example.output.format, inPlace: true }, async (runs) => {
    await runs.run();
    const sizes = await Promise.all(runs.outputPaths.map(async (path) => (await stat(path)).size));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    await runs.probe();
  });
});
