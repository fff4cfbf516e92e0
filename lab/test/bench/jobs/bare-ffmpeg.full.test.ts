import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { expect, it } from 'vitest';
import { makeClip } from '../../../../lib/local/sample.ts';
import { makeAssets } from '../../../bench/harness/jobs/recipe-files.ts';
import { withBareRuns } from '../../../bench/harness/process/bare-runs.ts';
import { measuredRecipes } from '../../../bench/recipes.ts';

it.each(measuredRecipes)('every output of a bare run of $name is a file', async ({ example, inputCount }) => {
  const recipe = recipeRequestSchema.parse(example.recipe);
  const directory = await aTemporaryFolder();
  const clip = join(directory, 'clip.mp4');
  await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path: clip, seconds: 5 });
  const made = await makeAssets(recipe, directory);
  const files = {
    inputs: Array.from({ length: inputCount?.min ?? 1 }, () => clip),
    assets: Object.fromEntries(made.map(({ name, path }) => [name, path])),
  };
  await withBareRuns(
    { files, recipe, format: example.output.format, inPlace: true, environment: process.env },
    async (runs) => {
      await runs.run();
      const sizes = await Promise.all(runs.outputPaths.map(async (path) => (await stat(path)).size));
      expect(sizes.length).toBeGreaterThan(0);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      for (const path of runs.mediaPaths) await runs.encoder.probe(path, { role: 'output' });
    },
  );
});
