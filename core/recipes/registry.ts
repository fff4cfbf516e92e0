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
import { renditions } from './catalog/video/renditions.ts';
import { resize } from './catalog/video/resize.ts';
import { rotate } from './catalog/video/rotate.ts';
import { speed } from './catalog/video/speed.ts';
import { transcode } from './catalog/video/transcode.ts';
import { watermark } from './catalog/video/watermark.ts';
import type { Asset, Recipe } from './recipe.ts';

/** Every recipe of the service. Adding one is its file and its line here. */
export const recipes = [
  compress,
  transcode,
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

/** The `recipe` field of a request: `{ name, ...parameters }`, strict, with each recipe's defaults filled in. */
export const recipeRequestSchema = z.discriminatedUnion(
  'name',
  recipes.map((recipe) => recipe.request) as RequestSchemas<typeof recipes>,
);

export type RecipeRequest = z.output<typeof recipeRequestSchema>;

/** The `output.format` of a request. */
export const formatSchema = z.enum(Object.keys(formats) as [Format, ...Format[]]);

/** The recipe of that name, if there is one. */
export function findRecipe(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}

/** What is wrong with a valid recipe and a valid format together; paths begin at the request's root. */
export function findConflicts(request: RecipeRequest, format: Format): ErrorDetail[] {
  const { recipe, parameters } = resolve(request);
  if (recipe.formats.includes(format)) return recipe.conflicts(parameters, format);
  const accepted = recipe.formats.join(', ');
  return [{ path: 'output.format', message: `The recipe ${recipe.name} writes ${accepted}, not ${format}` }];
}

/** Where a plan's files lie; a recipe of one input needs no more than that one. */
type PlanContext = Omit<
  PlanInput<unknown>,
  'parameters' | 'inputs' | 'assets' | 'filters' | 'fontsDirectory'
> &
  Partial<Pick<PlanInput<unknown>, 'inputs' | 'assets' | 'filters' | 'fontsDirectory'>>;

/**
 * Plans what a request's recipe will do with its probed inputs.
 * @throws JobError `INPUT_UNSUPPORTED` where the parameters make no sense for this input.
 */
export function planRecipe(request: RecipeRequest, place: PlanContext): Plan | PendingPlan {
  const { recipe, parameters } = resolve(request);
  const inputs = [{ path: place.inputPath, probe: place.probe }];
  return recipe.plan({ inputs, assets: {}, filters: new Set(), fontsDirectory: '.', ...place, parameters });
}

/** The files that a request's parameters name. */
export function listAssets(request: RecipeRequest): Asset[] {
  const { recipe, parameters } = resolve(request);
  return recipe.assets(parameters);
}

function resolve(request: RecipeRequest): { recipe: Recipe; parameters: unknown } {
  const { name, ...parameters } = request;
  const recipe = findRecipe(name);
  if (!recipe) throw new TypeError(`No recipe is called ${name}`);
  return { recipe, parameters };
}
