import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@media-jobs/client';
import type { Stage } from '@media-jobs/local-stage';
import type { Format } from '@media-jobs/video/media';
import { type RecipeRequest, recipeRequestSchema } from '@media-jobs/video/recipes';
import { recipes as pricedRecipes } from '../../../cost/recipe-forecast.ts';
import type { ServedFile } from '../jobs/file-server.ts';
import { withBareRuns } from '../process/bare-runs.ts';

/** A clip of two sizes. */
export type RoundClip = { seconds: number; p1080: ServedFile; p720: ServedFile };

export type Work = { recipe: RecipeRequest; format: Format; source: ServedFile };

export const compressRecipe = recipeRequestSchema.parse(pricedRecipes.compress.recipe);

/** The jobs of a clip. */
export function works({ p1080, p720 }: RoundClip): Work[] {
  return [
    { recipe: compressRecipe, format: 'mp4', source: p1080 },
    { recipe: recipeRequestSchema.parse({ name: 'hls' }), format: 'm3u8', source: p720 },
    { recipe: recipeRequestSchema.parse({ name: 'thumbnail', at: 5 }), format: 'jpg', source: p1080 },
    { recipe: recipeRequestSchema.parse({ name: 'extract-audio' }), format: 'm4a', source: p1080 },
  ];
}

type PoolStage = { client: Client; stage: Pick<Stage, 'fireSchedules'>; directory: string };

const pollMs = 5_000;

/** Processes economy jobs in the pool, from their submission to the end of its task. @throws Error if one fails */
export async function runInPool({ client, stage, directory }: PoolStage, round: readonly Work[]): Promise<void> {
  const ids: string[] = [];
  for (const { recipe, format, source } of round) {
    const input = { url: source.url };
    const body = { mode: 'recipe', input, recipe, output: { format }, speed: 'economy' } as const;
    ids.push((await client.createJob({ body })).jobId);
  }
  // Reconcile starts the pool. Tasks and jobs are read seldom: each read adds to the time.
  await stage.fireSchedules();
  for (const id of ids) {
    for (;;) {
      const { state, error } = await client.getJob({ params: { id } });
      if (state === 'completed') break;
      if (state !== 'queued' && state !== 'processing') throw new Error(`A job is ${state}: ${error?.message}`);
      await sleep(pollMs);
    }
  }
  const isRunning = () =>
    readdirSync(directory, { recursive: true }).some((name) => /(^|\/)task-[^/]+$/.test(`${name}`));
  while (isRunning()) await sleep(pollMs);
}

/** Calls `use` with the ffmpeg commands of all. Their files are removed afterwards. */
export function withCommands<Result>(
  [work, ...others]: readonly Work[],
  use: (commands: string[][]) => Result,
): Promise<Result> {
  if (work === undefined) return Promise.resolve(use([]));
  const { recipe, format, source } = work;
  const options = { files: { inputs: [source.path] }, recipe, format, environment: process.env, inPlace: true };
  return withBareRuns(options, async ({ commands }) => {
    const own = await commands();
    return withCommands(others, (all) => use([...own, ...all]));
  });
}
