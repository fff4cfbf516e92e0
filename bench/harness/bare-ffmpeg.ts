import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg-arguments.ts';
import type { Format } from '../../core/media/formats.ts';
import { carryOut } from '../../core/recipes/carry-out.ts';
import { planRecipe, type RecipeRequest } from '../../core/recipes/registry.ts';
import { findFfmpeg } from '../../local/ffmpeg.ts';

/** The bounds of a worker, so that the argument list is the worker's to the letter. */
const bounds = {
  maxPixels: 8192 * 8192,
  maxAllocationBytes: 2 ** 30,
  cpuSeconds: 900 * availableParallelism(),
};

/** ffmpeg's runs of one recipe, ready to be made without the service. */
export type BareRuns = {
  /** Where the input has to lie before the runs. */
  inputPath: string;
  /** Where the outputs lie after them. */
  outputPaths: string[];
  run(): Promise<void>;
};

/**
 * The baseline of every job: ffmpeg alone, with the arguments that the recipe plans for this input, on this machine.
 * Returns the wall seconds of its runs; probing is not counted.
 */
export function bareFfmpegSeconds(inputPath: string, recipe: RecipeRequest, format: Format): Promise<number> {
  return withBareRuns({ samplePath: inputPath, recipe, format }, ({ run }) => wallSeconds(run), inputPath);
}

/** Plans a recipe for the file at `samplePath`, and has `use` make the runs in a directory that is removed afterwards. */
export async function withBareRuns<Result>(
  { samplePath, recipe, format }: { samplePath: string; recipe: RecipeRequest; format: Format },
  use: (runs: BareRuns) => Promise<Result>,
  inputAt?: string,
): Promise<Result> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const outputDirectory = await mkdtemp(join(tmpdir(), 'bare-ffmpeg-'));
  const inputPath = inputAt ?? join(outputDirectory, 'input');
  try {
    const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe });
    const [probe, filters] = await Promise.all([encoder.probe(samplePath), encoder.filters()]);
    const plan = planRecipe(recipe, { probe, format, inputPath, outputDirectory, filters });
    const { outputs } = plan;
    const run = async () => {
      const decided = await carryOut(plan, async (command) => ({
        log: await runProgram(ffmpeg, ffmpegArguments(command, bounds)),
      }));
      for (const { filename, content } of decided.outputs) {
        if (content !== undefined) await writeFile(join(outputDirectory, filename), content);
      }
    };
    return await use({
      inputPath,
      outputPaths: outputs.map(({ filename }) => join(outputDirectory, filename)),
      run,
    });
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

/** What an act takes by the wall's clock, in seconds. */
export async function wallSeconds(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return (performance.now() - startedAt) / 1000;
}

/** Returns what it said. */
async function runProgram(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (code !== 0) throw new Error(`ffmpeg ended with code ${code}: ${args.join(' ')}`);
  return log;
}
