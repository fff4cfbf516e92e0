import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type * as z from 'zod';
import { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import type { FfmpegSettings } from '../../adapters/ffmpeg/settings.ts';
import type { Format } from '../../core/media/formats.ts';
import type { Encoder } from '../../core/media/ports.ts';
import type { Probe } from '../../core/media/probe.ts';
import { verifyOutput } from '../../core/media/verify.ts';
import { carryOut } from '../../core/recipes/carry-out.ts';
import type { PlannedOutput } from '../../core/recipes/recipe.ts';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import { programs } from './bare-ffmpeg.ts';

export type Finished = PlannedOutput & { path: string; probe: Probe };

/** The encoder of this machine. */
export function anEncoder(differences: Partial<FfmpegSettings> = {}): Encoder {
  return ffmpegEncoder({ ...programs, ...differences });
}

/** An empty directory that goes when the test has ended. */
export async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs a recipe on a file as the worker does: probe, plan, encode, and check every output against the plan. */
export async function encode(
  inputPath: string,
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
): Promise<Finished[]> {
  const encoder = anEncoder();
  const outputDirectory = await aDirectory();
  const probe = await encoder.probe(inputPath);
  const request = recipeRequestSchema.parse(recipe);
  const { signal } = new AbortController();
  const plan = await carryOut(planRecipe(request, { probe, format, inputPath, outputDirectory }), (command) =>
    encoder.run(command, { directory: outputDirectory, signal, timeLimitSeconds: 300, stallSeconds: 60 }),
  );
  const written = plan.outputs.filter(({ content }) => content === undefined);
  return Promise.all(
    written.map(async (output) => {
      const path = join(outputDirectory, output.filename);
      const found = await encoder.probe(path, { of: 'output' });
      if (output.expectation) verifyOutput(found, output.expectation);
      return { ...output, path, probe: found };
    }),
  );
}

/** The only output of a recipe that makes one file. */
export async function encodeOne(...args: Parameters<typeof encode>): Promise<Finished> {
  const [output, ...others] = await encode(...args);
  if (!output || others.length > 0) throw new Error('The recipe does not make exactly one file');
  return output;
}
