import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type * as z from 'zod';
import { withInputOptions } from '../../../src/encoding/options.ts';
import { executePlan, type MediaFile, type Plan, type PlannedOutput, runTask } from '../../../src/encoding/plan.ts';
import { findFonts } from '../../../src/local-programs.ts';
import { damageOfRuns, damageWarnings } from '../../../src/media/damage.ts';
import { type Encoder, recordRuns } from '../../../src/media/ffmpeg/ports.ts';
import type { Format } from '../../../src/media/formats.ts';
import { verifyOutput } from '../../../src/media/outputs/verify-output.ts';
import type { Probe } from '../../../src/media/probe/probe.ts';
import {
  dependsOnCaptions,
  listAssets,
  planRecipe,
  type recipeRequestSchema,
  type StoredRecipe,
  storedRecipeSchema,
} from '../../../src/recipes/registry.ts';
import { ffmpegEncoder } from '../../../src/runner/encoder.ts';
import type { FfmpegSettings } from '../../../src/runner/run.ts';
import { ffmpegPrograms } from '../media/bare-ffmpeg.ts';

export type EncodedOutput = PlannedOutput & { path: string; probe: Probe } & Pick<Plan, 'measurements'>;

/** The encoder of this machine. */
export function anEncoder(differences: Partial<FfmpegSettings> = {}): Encoder {
  return ffmpegEncoder({ ...ffmpegPrograms, ...differences });
}

/** The inputs of a recipe, and the files that its parameters name. */
export type EncodeSource =
  | string
  | {
      inputs: readonly [string, ...string[]];
      assets?: Record<string, string>;
      fontsDirectory?: string;
      /** Its frames may be missing or damaged. */
      isDamaged?: boolean;
    };

/** Runs a recipe on files as the worker does: probe, plan, encode, and check every output against the plan. */
export async function encode(
  source: EncodeSource,
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
): Promise<EncodedOutput[]> {
  const { encoder, runs } = recordRuns(anEncoder());
  const outputDirectory = await aTemporaryFolder();
  const request = storedRecipeSchema.parse(recipe);
  const { inputs, assets } = await measured(encoder, source, request);
  const [{ path: inputPath, probe }] = inputs;
  const { signal } = new AbortController();
  const { fontsDirectory = findFonts(), isDamaged = false } = typeof source === 'string' ? {} : source;
  const canCompare = await encoder.canCompare();
  const context = { inputPath, inputs, assets, outputDirectory, canCompare, fontsDirectory };
  const options = {
    directory: outputDirectory,
    signal,
    timeLimitSeconds: 300,
    stallSeconds: 60,
    lengthLimit: { maxFps: 120 },
  };
  const run = withInputOptions((task) => runTask(encoder, task, options), inputs);
  const plan = await executePlan(planRecipe(request, { probe, format, ...context }), run);
  const warnings = inputs.flatMap((input) => damageWarnings(damageOfRuns(runs, input)));
  if (warnings.length > 0 && !isDamaged) throw new Error(`A clean source has a warning: ${warnings[0]?.message}`);
  const checked = plan.outputs.filter(({ content, expectation }) => content === undefined || expectation);
  return Promise.all(
    checked.map(async (output) => {
      const path = join(outputDirectory, output.filename);
      if (output.content !== undefined) await writeFile(path, output.content);
      const found = await encoder.probe(path, { role: 'output' });
      if (output.expectation) verifyOutput(found, output.expectation);
      return { ...output, path, probe: found, ...(plan.measurements && { measurements: plan.measurements }) };
    }),
  );
}

/** The only output of a recipe that makes one file. */
export async function encodeOne(...args: Parameters<typeof encode>): Promise<EncodedOutput> {
  const [output, ...others] = await encode(...args);
  if (!output || others.length > 0) throw new Error(`Expected one output, found ${others.length + (output ? 1 : 0)}`);
  return output;
}

type Measured = { inputs: [MediaFile, ...MediaFile[]]; assets: Record<string, MediaFile> };

async function measured(encoder: Encoder, source: EncodeSource, request: StoredRecipe): Promise<Measured> {
  const { inputs, assets = {} } = typeof source === 'string' ? { inputs: [source] as const } : source;
  const [first, ...others] = inputs;
  const options = { readsCaptions: dependsOnCaptions(request) };
  const probed = async (path: string) => {
    const probe = await encoder.probe(path, options);
    if (probe.misreading !== undefined) throw new Error(`The worker rejects this source: ${probe.misreading}`);
    return { path, probe };
  };
  const files = Object.entries(assets).map(async ([name, path]) => {
    const kind = listAssets(request).find((asset) => asset.name === name)?.kind;
    const probe = await encoder.probe(path, { role: kind === 'subtitles' ? kind : 'input' });
    return [name, { path, probe }] as const;
  });
  const [main, rest, named] = await Promise.all([probed(first), Promise.all(others.map(probed)), Promise.all(files)]);
  return { inputs: [main, ...rest], assets: Object.fromEntries(named) };
}
