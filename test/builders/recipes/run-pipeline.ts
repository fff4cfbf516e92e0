import { join } from 'node:path';
import type * as z from 'zod';
import { withInputOptions } from '../../../core/encoding/input-options.ts';
import { executePlan, type RunTask, runTask } from '../../../core/encoding/plan.ts';
import type { Format } from '../../../core/media/formats.ts';
import { assignFormats, planStep } from '../../../core/recipes/pipeline/steps.ts';
import { recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { findFonts } from '../../../local/fonts.ts';
import { aTemporaryFolder } from '../system/temporary-folder.ts';
import { anEncoder } from './encode.ts';

/** Runs recipes in sequence, each on the output of the one before; returns the path of the last output. */
export async function runPipeline(
  source: string,
  format: Format,
  recipes: readonly z.input<typeof recipeRequestSchema>[],
): Promise<string> {
  const encoder = anEncoder();
  const canCompare = await encoder.canCompare();
  const { signal } = new AbortController();
  const requests = recipes.map((recipe) => ({ recipe: recipeRequestSchema.parse(recipe) }));
  let path = source;
  for (const step of assignFormats(requests, format)) {
    const outputDirectory = await aTemporaryFolder();
    const inputs = [{ path, probe: await encoder.probe(path) }];
    const context = { inputs, assets: {}, canCompare, fontsDirectory: findFonts(), outputDirectory };
    const run: RunTask = (task) =>
      runTask(encoder, task, {
        directory: outputDirectory,
        signal,
        timeLimitSeconds: 300,
        stallSeconds: 60,
        lengthLimit: { maxFps: 120 },
      });
    const { outputs } = await executePlan(planStep(step, context), withInputOptions(run, inputs));
    path = join(outputDirectory, outputs[0]?.filename ?? '');
  }
  return path;
}
