import { availableParallelism } from 'node:os';
import { findFonts } from '../../../adapters/ffmpeg/fonts.ts';
import { planCost } from '../../../core/cost-model/plan-cost.ts';
import { executePlan, type MediaFile, runTask } from '../../../core/encoding/plan.ts';
import { ffmpegArguments } from '../../../core/media/ffmpeg/ffmpeg-arguments.ts';
import type { Encoder } from '../../../core/media/ffmpeg/ports.ts';
import type { Format } from '../../../core/media/formats.ts';
import { planRecipe, recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { makeAssets } from '../jobs/recipe-files.ts';
import { ffmpegCpuSeconds } from './cpu-seconds.ts';

export type Pair = { input: MediaFile; recipe: { name: string }; format: Format };

export type PairSeconds = { expected: number; measured: number };

const limits = {
  maxPixels: 100_000_000,
  maxAllocationBytes: 2 ** 31,
  maxCpuSeconds: 3600,
  cpuCount: availableParallelism(),
};

/** Processor seconds of a recipe on one file: as the model expects them, and as ffmpeg took them. */
export async function measurePair(
  { input, recipe: requested, format }: Pair,
  { encoder, ffmpeg, directory }: { encoder: Encoder; ffmpeg: string; directory: string },
): Promise<PairSeconds> {
  const recipe = recipeRequestSchema.parse(requested);
  const assets: Record<string, MediaFile> = {};
  for (const { name, kind, path } of await makeAssets(recipe, directory)) {
    const role = kind === 'subtitles' ? 'subtitles' : 'input';
    assets[name] = { path, probe: await encoder.probe(path, { role }) };
  }
  const plan = planRecipe(recipe, {
    probe: input.probe,
    inputPath: input.path,
    inputs: [input],
    assets,
    format,
    outputDirectory: directory,
    canCompare: false,
    fontsDirectory: findFonts(),
  });
  const { cpuSeconds: expected } = planCost(plan, [input, ...Object.values(assets)]);
  let measured = 0;
  const options = {
    directory,
    signal: AbortSignal.timeout(600_000),
    timeLimitSeconds: 600,
    stallSeconds: 600,
  };
  await executePlan(plan, async (task) => {
    if (!('outputArguments' in task)) return runTask(encoder, task, options);
    const { cpuSeconds, log } = await ffmpegCpuSeconds(ffmpeg, ffmpegArguments(task, limits), { directory });
    measured += cpuSeconds;
    return { log };
  });
  return { expected, measured };
}
