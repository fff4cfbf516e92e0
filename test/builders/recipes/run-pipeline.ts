import { copyFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { findFonts } from '@media-jobs/video/local-programs';
import type { Format } from '@media-jobs/video/media';
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import { dependOnCaptions, forecastGraph } from '@media-jobs/video/recipes';
import { openWorkspace } from '@media-jobs/video/runner';
import { anEncoder } from '@media-jobs/video/testing';
import type * as z from 'zod';
import { systemClock } from '../../../adapters/system/clock.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { MeasuredOutput } from '../../../core/worker/package-stream.ts';
import { beginSteps, type GraphState } from '../../../functions/transcode/graph-state.ts';
import { runStepsUntil } from '../../../functions/transcode/run-pass.ts';
import { workerContext, workerPorts } from '../jobs/worker-ports.ts';

/** Validates and runs recipes as a worker does, each on the output of the one before; returns the outputs of the last one. */
export async function runSequence(...sequence: Parameters<typeof runAsWorker>): Promise<readonly MeasuredOutput[]> {
  return (await runAsWorker(...sequence)).outputs;
}

/** The same with the measurements and the warnings. */
export async function runAsWorker(
  source: string,
  format: Format,
  recipes: readonly z.input<typeof recipeRequestSchema>[],
  encoder: Encoder = anEncoder(),
): Promise<Pick<GraphState, 'outputs'> & Required<Pick<GraphState['result'], 'measurements' | 'warnings'>>> {
  const workspace = await openWorkspace(await aTemporaryFolder());
  const path = workspace.downloadPath('input-1');
  await copyFile(source, path);
  const steps = readSteps({
    mode: 'pipeline',
    input: { url: 'https://example.com/source' },
    output: { format },
    steps: recipes.map((recipe) => ({ recipe })),
  });
  const inputs = [{ path, probe: await encoder.probe(path, { readsCaptions: dependOnCaptions(steps, 0) }) }];
  const canCompare = await encoder.canCompare();
  forecastGraph(steps, { inputs, assets: [], canCompare });
  const fetched = { inputs, assets: [], downloaded: [], inputSizeBytes: 0, canCompare };
  const deps = workerPorts({ media: encoder, clock: systemClock, fontsDirectory: findFonts() });
  const context = workerContext({ deadline: new Date(Date.now() + 600_000) });
  const state = beginSteps({ steps, fetched, workspace });
  const { outputs, result } = await runStepsUntil(deps, context, state, steps.length);
  return { outputs, measurements: {}, warnings: [], ...result };
}

/** The path of the only output of recipes that run in sequence. */
export async function runPipeline(...sequence: Parameters<typeof runSequence>): Promise<string> {
  const [output, ...others] = await runSequence(...sequence);
  if (output === undefined || others.length > 0) throw new Error('Expected one output of the last recipe');
  return output.path;
}
