import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import type { Asset } from '@media-jobs/video/recipes';
import { findRecipe, listAssets, type RecipeRequest } from '@media-jobs/video/recipes';
import type { Files } from '../process/bare-runs.ts';
import { type ServedFile, serveFile } from './file-server.ts';

/** The files for a recipe's benchmark: the clip for each input, and a file for each asset. */
export async function recipeFiles(
  recipe: RecipeRequest,
  { clip, directory }: { clip: ServedFile; directory: string },
): Promise<Required<Files<ServedFile>>> {
  const { min } = findRecipe(recipe.name)?.inputCount ?? { min: 1 };
  const assets = (await makeAssets(recipe, directory)).map(
    async ({ name, path }) => [name, await serveFile(path)] as const,
  );
  return {
    inputs: Array.from({ length: min }, () => clip),
    assets: Object.fromEntries(await Promise.all(assets)),
  };
}

/** Makes a file for each asset of a recipe. */
export function makeAssets(
  recipe: RecipeRequest,
  directory: string,
): Promise<(Pick<Asset, 'name' | 'kind'> & { path: string })[]> {
  return Promise.all(
    listAssets(recipe).map(async ({ name, kind }) => {
      const path = join(directory, `${recipe.name}-${name}`);
      await make[kind](path);
      return { name, kind, path };
    }),
  );
}

/** The recipe with the URLs of these assets. */
export function withUrls(recipe: RecipeRequest, { assets = {} }: Files<ServedFile>): RecipeRequest {
  const urls = Object.entries(assets).map(([name, { url }]) => [name, url]);
  return { ...recipe, ...Object.fromEntries(urls) };
}

const make: Record<Asset['kind'], (path: string) => Promise<unknown>> = {
  media: (path) => {
    const image = ['-f', 'lavfi', '-i', 'testsrc2=size=320x160', '-frames:v', '1', '-c:v', 'png'];
    const { ffmpeg } = findFfmpeg(process.env);
    return promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', ...image, '-f', 'image2', '-y', path]);
  },
  subtitles: (path) => {
    const cues = Array.from({ length: 10 }, (_, second) => {
      const at = `00:00:${String(second).padStart(2, '0')}`;
      return `${second + 1}\n${at},000 --> ${at},900\nThis is said in second ${second}\n`;
    });
    return writeFile(path, cues.join('\n'));
  },
};
