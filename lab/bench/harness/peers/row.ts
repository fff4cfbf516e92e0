import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Format } from '@media-jobs/video/media';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import type * as z from 'zod';
import { type Extent, type Figure, figure } from '../figures/figure.ts';
import { withBareRuns } from '../process/bare-runs.ts';
import { measureUsage } from '../process/processor-time.ts';

export type RowContext = {
  extent: Extent;
  ffmpeg: string;
  /** For temporary files. */
  directory: string;
  /** Paths of clips without loss, of two seconds. */
  clips: readonly string[];
  /** Paths of the videos that the caller gave. */
  videos: readonly string[];
  print: (line: string) => void;
};

/** The comparison with one program. */
export type PeerRow = {
  peer: string;
  program: string;
  versionArguments: readonly string[];
  /** A command that installs it. */
  install: readonly [string, ...string[]];
  run(context: RowContext): Promise<Figure[]>;
};

/** A figure of a comparison: `theirs` is the better choice above a ratio of 1. */
export function peerFigure(peer: string, name: string, ratios: readonly number[], goal: number): Figure {
  const found = figure(`peers/${name}`, ratios, goal);
  return { ...found, peer, verdict: found.ratio <= 1 ? 'ours' : 'theirs' };
}

/** Runs a program and returns what it prints. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout, stderr } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 26, env });
  return `${stdout}\n${stderr}`;
}

/** Runs a recipe on one file without the service. `read` gets the paths of its outputs, before they are removed. */
export function runRecipe<Result>(
  path: string,
  { recipe, format }: { recipe: z.input<typeof recipeRequestSchema>; format: Format },
  read: (outputs: string[]) => Promise<Result>,
): Promise<{ processorSeconds: number; result: Result }> {
  const work = { files: { inputs: [path] }, recipe: recipeRequestSchema.parse(recipe), format };
  return withBareRuns({ ...work, environment: process.env, inPlace: true }, async ({ run, outputPaths }) => {
    const { processor: processorSeconds } = await measureUsage(run);
    return { processorSeconds, result: await read(outputPaths) };
  });
}

/** The processor seconds of an action, and of the programs that it runs. */
export async function processorSeconds(act: () => Promise<unknown>): Promise<number> {
  return (await measureUsage(act)).processor;
}
