import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg-arguments.ts';
import type { Format } from '../../core/media/formats.ts';
import { planRecipe, type RecipeRequest } from '../../core/recipes/registry.ts';
import { findFfmpeg } from '../../local/ffmpeg.ts';

/** The bounds of a worker, so that the argument list is the worker's to the letter. */
const bounds = {
  maxPixels: 8192 * 8192,
  maxAllocationBytes: 2 ** 30,
  cpuSeconds: 900 * availableParallelism(),
};

/**
 * The baseline of every job: ffmpeg alone, with the arguments that the recipe plans for this input, on this machine.
 * Returns the wall seconds of its runs; probing is not counted.
 */
export async function bareFfmpegSeconds(
  inputPath: string,
  recipe: RecipeRequest,
  format: Format,
): Promise<number> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const outputDirectory = await mkdtemp(join(tmpdir(), 'bare-ffmpeg-'));
  try {
    const probe = await ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe }).probe(inputPath);
    const { commands } = planRecipe(recipe, { probe, format, inputPath, outputDirectory });
    const startedAt = performance.now();
    for (const command of commands) await run(ffmpeg, ffmpegArguments(command, bounds));
    return (performance.now() - startedAt) / 1000;
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (code !== 0) throw new Error(`ffmpeg ended with code ${code}: ${args.join(' ')}`);
}
