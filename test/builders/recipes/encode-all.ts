import { readFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { executePlan, type MediaFile, type PlannedOutput, runTask, withInputOptions } from '@media-jobs/video/encoding';
import type { Format } from '@media-jobs/video/media';
import { dependsOnCaptions, planRecipe, recipeRequestSchema } from '@media-jobs/video/recipes';
import { openWorkspace } from '@media-jobs/video/runner';
import { anEncoder } from '@media-jobs/video/testing';
import type * as z from 'zod';
import { measureOutputs } from '../../../core/worker/outputs.ts';
import type { WorkerContext } from '../../../core/worker/worker-context.ts';
import { someContentKeys } from '../jobs/content-keys.ts';
import { aProcessingJob } from '../jobs/jobs.ts';
import { workerContext, workerPorts } from '../jobs/worker-ports.ts';

/** The finished files of a recipe, among them playlists that name others. */
export type EncodedFiles = {
  directory: string;
  outputs: PlannedOutput[];
  /** The path of each output, by its name. */
  paths: ReadonlyMap<string, string>;
  text(name: string): Promise<string>;
};

/** Runs a recipe of several files, measures and checks them as the worker does. They are removed as a temporary folder is. */
export async function encodeAll(
  inputPath: string,
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
  assetPaths: Record<string, string> = {},
): Promise<EncodedFiles> {
  const encoder = anEncoder();
  const workspace = await openWorkspace(await aTemporaryFolder());
  const directory = await workspace.makeDirectory('output');
  const request = recipeRequestSchema.parse(recipe);
  const probe = await encoder.probe(inputPath, { readsCaptions: dependsOnCaptions(request) });
  const assets: Record<string, MediaFile> = {};
  for (const [name, path] of Object.entries(assetPaths)) {
    assets[name] = { path, probe: await encoder.probe(path, { role: 'subtitles' }) };
  }
  const { signal } = new AbortController();
  const plan = await executePlan(
    planRecipe(request, { probe, format, inputPath, assets, outputDirectory: directory }),
    withInputOptions(
      (task) =>
        runTask(encoder, task, {
          directory,
          signal,
          timeLimitSeconds: 300,
          stallSeconds: 60,
          lengthLimit: { maxFps: 120 },
        }),
      [{ path: inputPath, probe }],
    ),
  );
  const written = { outputs: plan.outputs, directory, workspace };
  const finished = await measureOutputs(workerPorts({ media: encoder }), await contextOf(recipe), written);
  const paths = new Map(finished.map(({ planned, path }) => [planned.name, path]));
  return { directory, outputs: plan.outputs, paths, text: (name) => readFile(paths.get(name) ?? name, 'utf8') };
}

/** The context of a job whose record has the content key of the recipe, as after a request. */
export async function contextOf(recipe: z.input<typeof recipeRequestSchema>): Promise<WorkerContext> {
  const job = aProcessingJob();
  const key = recipe.name === 'hls' ? recipe.encryption?.key : undefined;
  if (key === undefined) return workerContext({ job });
  const encrypted = await someContentKeys.encrypt(key, job);
  return workerContext({ job: { ...job, contentKey: { jobId: job.jobId, encrypted } } });
}
