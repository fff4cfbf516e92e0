import { availableParallelism } from 'node:os';
import { planCost } from '@media-jobs/video/cost-model';
import { executePlan, type MediaFile, runTask } from '@media-jobs/video/encoding';
import { type Encoder, ffmpegArguments } from '@media-jobs/video/ffmpeg';
import { findFonts } from '@media-jobs/video/local-programs';
import type { Format } from '@media-jobs/video/media';
import { planRecipe, recipeRequestSchema } from '@media-jobs/video/recipes';
import { ffmpegCpuSeconds } from '../../../../lib/local/machine-speed.ts';
import { makeAssets } from '../jobs/recipe-files.ts';

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
