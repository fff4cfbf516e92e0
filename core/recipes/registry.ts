import * as z from 'zod';
import type { ErrorDetail } from '../errors.ts';
import { type Format, formats } from '../media/formats.ts';
import { animatedWebp } from './animated-webp.ts';
import { burnSubtitles } from './burn-subtitles.ts';
import { clip } from './clip.ts';
import { compress } from './compress.ts';
import { concat } from './concat.ts';
import { contactSheet } from './contact-sheet.ts';
import { extractAudio } from './extract-audio.ts';
import { extractSubtitles } from './extract-subtitles.ts';
import { gif } from './gif.ts';
import { hdrToSdr } from './hdr-to-sdr.ts';
import { hls } from './hls.ts';
import { image } from './image.ts';
import { mute } from './mute.ts';
import { normalizeAudio } from './normalize-audio.ts';
import { probe } from './probe.ts';
import type { Asset, Measurement, Plan, PlanInput, Recipe } from './recipe.ts';
import { renditions } from './renditions.ts';
import { resize } from './resize.ts';
import { rotate } from './rotate.ts';
import { speed } from './speed.ts';
import { sprite } from './sprite.ts';
import { thumbnail } from './thumbnail.ts';
import { thumbnails } from './thumbnails.ts';
import { transcode } from './transcode.ts';
import { watermark } from './watermark.ts';

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
export function recipeConflicts(request: RecipeRequest, format: Format): ErrorDetail[] {
  const { recipe, parameters } = resolve(request);
  if (recipe.formats.includes(format)) return recipe.conflicts(parameters, format);
  const accepted = recipe.formats.join(', ');
  return [{ path: 'output.format', message: `The recipe ${recipe.name} writes ${accepted}, not ${format}` }];
}

/** Where a plan's files lie; a recipe of one input needs no more than that one. */
type Place = Omit<PlanInput<unknown>, 'parameters' | 'inputs' | 'assets' | 'filters' | 'fontsDirectory'> &
  Partial<Pick<PlanInput<unknown>, 'inputs' | 'assets' | 'filters' | 'fontsDirectory'>>;

/**
 * Plans what a request's recipe will do with its probed inputs.
 * @throws JobError `INPUT_UNSUPPORTED` where the parameters make no sense for this input.
 */
export function planRecipe(request: RecipeRequest, place: Place): Plan | Measurement {
  const { recipe, parameters } = resolve(request);
  const inputs = [{ path: place.inputPath, probe: place.probe }];
  return recipe.plan({ inputs, assets: {}, filters: new Set(), fontsDirectory: '.', ...place, parameters });
}

/** The files that a request's parameters name. */
export function assetsOf(request: RecipeRequest): Asset[] {
  const { recipe, parameters } = resolve(request);
  return recipe.assets(parameters);
}

function resolve(request: RecipeRequest): { recipe: Recipe; parameters: unknown } {
  const { name, ...parameters } = request;
  const recipe = findRecipe(name);
  if (!recipe) throw new TypeError(`No recipe is called ${name}`);
  return { recipe, parameters };
}
