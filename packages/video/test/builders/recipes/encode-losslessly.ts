import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type * as z from 'zod';
import { withInputOptions } from '../../../src/encoding/options.ts';
import { executePlan, type PlanTask, runTask } from '../../../src/encoding/plan.ts';
import { findFonts } from '../../../src/local-programs.ts';
import { verifyOutput } from '../../../src/media/outputs/verify-output.ts';
import { planStep } from '../../../src/recipes/graph/steps.ts';
import { recipeRequestSchema } from '../../../src/recipes/registry.ts';
import { anEncoder } from './encode.ts';

export type RecipeInput = z.input<typeof recipeRequestSchema>;

/**
 * Runs recipes as one encode that loses nothing, so that its output has the frames that enter the encoder. Returns its path.
 * @param assets paths of the files that parameters name, by parameter
 */
export async function encodeLosslessly(
  source: string,
  recipes: readonly RecipeInput[],
  assets: Record<string, string>,
): Promise<string> {
  const encoder = anEncoder();
  const outputDirectory = await aTemporaryFolder();
  const [recipe, ...before] = recipes.map((each) => recipeRequestSchema.parse(each)).reverse();
  if (recipe === undefined) throw new Error('Expected a recipe');
  const inputs = [{ path: source, probe: await encoder.probe(source) }];
  const files = Object.entries(assets).map(async ([name, path]) => {
    const role = name === 'subtitles' ? name : 'input';
    return [name, { path, probe: await encoder.probe(path, { role }) }] as const;
  });
  const step = {
    recipe,
    format: 'mp4',
    isIntermediate: false,
    ...(before.length > 0 && { earlier: { index: 0, recipes: before.reverse() } }),
  } as const;
  const context = { inputs, assets: Object.fromEntries(await Promise.all(files)), canCompare: false };
  const planned = planStep(step, { ...context, fontsDirectory: findFonts(), outputDirectory });
  const options = {
    directory: outputDirectory,
    signal: new AbortController().signal,
    timeLimitSeconds: 300,
    stallSeconds: 60,
    lengthLimit: { maxFps: 120 },
  };
  const run = withInputOptions((task) => runTask(encoder, withoutLoss(task), options), inputs);
  const { outputs } = await executePlan(planned, run);
  const path = `${outputDirectory}/${outputs[0]?.filename}`;
  verifyOutput(await encoder.probe(path, { role: 'output' }), outputs[0]?.expectation ?? {});
  return path;
}

/** In place of the quality, x264's lossless mode. */
function withoutLoss(task: PlanTask): PlanTask {
  if (!('outputArguments' in task)) return task;
  const { outputArguments: all } = task;
  const outputArguments = all.map((argument, at) => (all[at - 1] === '-crf' ? '0' : argument));
  return { ...task, outputArguments };
}
