import * as z from 'zod';
import type { PendingPlan, Plan, PlanInput } from '../encoding/plan.ts';
import type { ErrorDetail } from '../errors.ts';
import { type Format, formats } from '../media/formats.ts';
import { extractAudio } from './catalog/audio/extract-audio.ts';
import { mute } from './catalog/audio/mute.ts';
import { normalizeAudio } from './catalog/audio/normalize-audio.ts';
import { extractSubtitles } from './catalog/data/extract-subtitles.ts';
import { probe } from './catalog/data/probe.ts';
import { animatedWebp } from './catalog/image/animated-webp.ts';
import { contactSheet } from './catalog/image/contact-sheet.ts';
import { gif } from './catalog/image/gif.ts';
import { image } from './catalog/image/image.ts';
import { sprite } from './catalog/image/sprite.ts';
import { thumbnail } from './catalog/image/thumbnail.ts';
import { thumbnails } from './catalog/image/thumbnails.ts';
import { hls } from './catalog/streaming/hls.ts';
import { burnSubtitles } from './catalog/video/burn-subtitles.ts';
import { clip } from './catalog/video/clip.ts';
import { compress } from './catalog/video/compress.ts';
import { concat } from './catalog/video/concat.ts';
import { hdrToSdr } from './catalog/video/hdr-to-sdr.ts';
import { remux } from './catalog/video/remux.ts';
import { renditions } from './catalog/video/renditions.ts';
import { resize } from './catalog/video/resize.ts';
import { rotate } from './catalog/video/rotate.ts';
import { speed } from './catalog/video/speed.ts';
import { transcode } from './catalog/video/transcode.ts';
import { watermark } from './catalog/video/watermark.ts';
import type { Asset, Recipe } from './recipe.ts';

/** Every recipe of the service. A new recipe needs its file and one line here. */
export const recipes = [
  compress,
  transcode,
  remux,
  renditions,
  hls,
  resize,
  clip,
  thumbnail,
  thumbnails,
  extractAudio,
  extractSubtitles,
  normalizeAudio,
  mute,
  rotate,
  speed,
  hdrToSdr,
  watermark,
  burnSubtitles,
  concat,
  gif,
  animatedWebp,
  contactSheet,
  sprite,
  image,
  probe,
] as const satisfies readonly Recipe[];

type RequestSchemas<Recipes extends readonly Recipe[]> = {
  -readonly [Index in keyof Recipes]: Recipes[Index]['request'];
};

/** Schema of the `recipe` field of a request: `{ name, ...parameters }`, strict. Parsing fills in the defaults. */
export const recipeRequestSchema = z.discriminatedUnion(
  'name',
  recipes.map((recipe) => recipe.request) as RequestSchemas<typeof recipes>,
);

export type RecipeRequest = z.output<typeof recipeRequestSchema>;

/** Schema of the `output.format` of a request. */
export const formatSchema = z.enum(Object.keys(formats) as [Format, ...Format[]]);

export function findRecipe(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}

/** Errors of combining a valid recipe with a valid format. Their paths start at the root of the request. */
export function findConflicts(request: RecipeRequest, format: Format): ErrorDetail[] {
  const { recipe, parameters } = resolveRecipe(request);
  if (recipe.formats.includes(format)) return recipe.conflicts(parameters, format);
  const accepted = recipe.formats.join(', ');
  return [{ path: 'output.format', message: `The recipe ${recipe.name} writes ${accepted}, not ${format}` }];
}

/** The input of a plan without its parameters. `inputs` defaults to the file at `inputPath`. */
type PlanContext = Omit<
  PlanInput<unknown>,
  'parameters' | 'inputs' | 'assets' | 'canCompare' | 'fontsDirectory'
> &
  Partial<Pick<PlanInput<unknown>, 'inputs' | 'assets' | 'canCompare' | 'fontsDirectory'>>;

/**
 * Plans a request's recipe on its probed inputs.
 * @throws JobError `INPUT_UNSUPPORTED` if the parameters do not fit the input
 */
export function planRecipe(request: RecipeRequest, context: PlanContext): Plan | PendingPlan {
  const { recipe, parameters } = resolveRecipe(request);
  const inputs = [{ path: context.inputPath, probe: context.probe }];
  return recipe.plan({ inputs, assets: {}, canCompare: false, fontsDirectory: '.', ...context, parameters });
}

export function listAssets(request: RecipeRequest): Asset[] {
  const { recipe, parameters } = resolveRecipe(request);
  return recipe.assets(parameters);
}

/** Whether the result depends on closed captions of the input. */
export function dependsOnCaptions(request: RecipeRequest): boolean {
  return resolveRecipe(request).recipe.dependsOnCaptions ?? false;
}

function resolveRecipe(request: RecipeRequest): { recipe: Recipe; parameters: unknown } {
  const { name, ...parameters } = request;
  const recipe = findRecipe(name);
  if (!recipe) throw new TypeError(`There is no recipe ${name}`);
  return { recipe, parameters };
}
