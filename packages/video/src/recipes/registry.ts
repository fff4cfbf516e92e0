import * as z from 'zod';
import type { PendingPlan, Plan, PlanInput } from '../encoding/plan.ts';
import { type Format, formats } from '../media/formats.ts';
import { extractAudio, planExtractAudio } from './catalog/audio/extract-audio.ts';
import { mute, planMute } from './catalog/audio/mute.ts';
import { normalizeAudio, planNormalizeAudio } from './catalog/audio/normalize-audio.ts';
import { extractSubtitles, planExtractSubtitles } from './catalog/data/extract-subtitles.ts';
import { planProbe, probe } from './catalog/data/probe.ts';
import { animatedWebp, planAnimatedWebp } from './catalog/image/animated-webp.ts';
import { contactSheet, planContactSheet } from './catalog/image/contact-sheet.ts';
import { gif, planGif } from './catalog/image/gif.ts';
import { image, planImage } from './catalog/image/image.ts';
import { planSprite, sprite } from './catalog/image/sprite.ts';
import { planThumbnail, thumbnail } from './catalog/image/thumbnail.ts';
import { planThumbnails, thumbnails } from './catalog/image/thumbnails.ts';
import { hls, planHls } from './catalog/streaming/hls.ts';
import { burnSubtitles, planBurnSubtitles } from './catalog/video/burn-subtitles.ts';
import { clip, planClip } from './catalog/video/clip.ts';
import { compress, planCompress } from './catalog/video/compress.ts';
import { concat, planConcat } from './catalog/video/concat.ts';
import { hdrToSdr, planHdrToSdr } from './catalog/video/hdr-to-sdr.ts';
import { planRemux, remux } from './catalog/video/remux.ts';
import { planRenditions, renditions } from './catalog/video/renditions.ts';
import { planResize, resize } from './catalog/video/resize.ts';
import { planRotate, rotate } from './catalog/video/rotate.ts';
import { planSpeed, speed } from './catalog/video/speed.ts';
import { planTranscode, transcode } from './catalog/video/transcode.ts';
import { planWatermark, watermark } from './catalog/video/watermark.ts';
import { command, planCommand } from './command/command.ts';
import { type Asset, type ParameterConflict, type Recipe, type RecipeInput, requireFormat } from './recipe.ts';

/** Every recipe of the service. A new recipe needs its file, one line here and one in `plans`. */
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

type Plans = {
  [R in (typeof recipes)[number] | typeof command as R['name']]: (input: RecipeInput<R>) => Plan | PendingPlan;
};

/** The planning of every recipe. The bundles of functions that plan nothing have none of it. */
const plans: Plans = {
  compress: planCompress,
  transcode: planTranscode,
  remux: planRemux,
  renditions: planRenditions,
  hls: planHls,
  resize: planResize,
  clip: planClip,
  thumbnail: planThumbnail,
  thumbnails: planThumbnails,
  'extract-audio': planExtractAudio,
  'extract-subtitles': planExtractSubtitles,
  'normalize-audio': planNormalizeAudio,
  mute: planMute,
  rotate: planRotate,
  speed: planSpeed,
  'hdr-to-sdr': planHdrToSdr,
  watermark: planWatermark,
  'burn-subtitles': planBurnSubtitles,
  concat: planConcat,
  gif: planGif,
  'animated-webp': planAnimatedWebp,
  'contact-sheet': planContactSheet,
  sprite: planSprite,
  image: planImage,
  probe: planProbe,
  command: planCommand,
};

type RequestSchemas<Recipes extends readonly Recipe[]> = {
  -readonly [Index in keyof Recipes]: Recipes[Index]['request'];
};

/** Schema of the `recipe` field of a request: `{ name, ...parameters }`, strict. Parsing fills in the defaults. */
export const recipeRequestSchema = z.discriminatedUnion(
  'name',
  recipes.map(requestMadeAtFirstUse) as unknown as RequestSchemas<typeof recipes>,
);

function requestMadeAtFirstUse(recipe: Recipe) {
  const schema = z.lazy(() => recipe.request.meta({ id: `${pascalCase(recipe.name)}Recipe` }));
  // The union asks every option for these before it parses. If they were not known, that would make all schemas.
  const propValues = { name: new Set([recipe.name]) };
  Object.assign(schema._zod, { propValues, optin: undefined, optout: undefined });
  return schema;
}

/** `ExtractAudio` of `extract-audio`. */
function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, first: string) => first.toUpperCase());
}

/** Schema of a stored `recipe`, which may be the command of a preset of the stage. */
export const storedRecipeSchema = z.discriminatedUnion('name', [
  ...recipeRequestSchema.options,
  requestMadeAtFirstUse(command) as unknown as typeof command.request,
]);

export type RecipeRequest = z.output<typeof recipeRequestSchema>;

export type StoredRecipe = z.output<typeof storedRecipeSchema>;

/** Schema of the `output.format` of a request. */
export const formatSchema = z.enum(Object.keys(formats) as [Format, ...Format[]]);

export function findRecipe(name: string): Recipe | undefined {
  return name === command.name ? command : recipes.find((recipe) => recipe.name === name);
}

/** Errors of combining a valid recipe with a valid format. Their paths start at the root of the request. */
export function findConflicts(request: StoredRecipe, format: Format): ParameterConflict[] {
  const { recipe, parameters } = resolveRecipe(request);
  if (recipe.formats.includes(format)) return recipe.conflicts(parameters, format);
  const accepted = recipe.formats.join(', ');
  return [{ path: 'output.format', message: `The recipe ${recipe.name} writes ${accepted}, not ${format}` }];
}

/** The input of a plan without its parameters. `inputs` defaults to the file at `inputPath`. */
type PlanContext = Omit<PlanInput<unknown>, 'parameters' | 'inputs' | 'assets' | 'canCompare' | 'fontsDirectory'> &
  Partial<Pick<PlanInput<unknown>, 'inputs' | 'assets' | 'canCompare' | 'fontsDirectory'>>;

/** Plans a request on its inputs. @throws JobError `INPUT_UNSUPPORTED` if the parameters do not fit the input */
export function planRecipe(request: StoredRecipe, context: PlanContext): Plan | PendingPlan {
  const { recipe, parameters } = resolveRecipe(request);
  const plan = plans[request.name] as (input: PlanInput<unknown>) => Plan | PendingPlan;
  const inputs = [{ path: context.inputPath, probe: context.probe }];
  return plan({
    inputs,
    assets: {},
    canCompare: false,
    fontsDirectory: '.',
    ...context,
    parameters: recipe.parameters.parse(parameters),
    format: requireFormat(recipe, context.format),
  });
}

export function listAssets(request: StoredRecipe): Asset[] {
  const { recipe, parameters } = resolveRecipe(request);
  return recipe.assets(parameters);
}

/** A valid request with the defaults written out that follow from its other parameters and its format. */
export function withRecipeDefaults<Request extends StoredRecipe>(request: Request, format: Format): Request {
  const { recipe, parameters } = resolveRecipe(request);
  return storedRecipeSchema.parse({ name: request.name, ...recipe.withDefaults(parameters, format) }) as Request;
}

/** Whether the result depends on closed captions of the input. */
export function dependsOnCaptions(request: StoredRecipe): boolean {
  return resolveRecipe(request).recipe.dependsOnCaptions ?? false;
}

/** Whether the recipe decodes nothing of its input. */
export function describesOnly({ name }: Pick<StoredRecipe, 'name'>): boolean {
  return findRecipe(name)?.describesOnly ?? false;
}

function resolveRecipe(request: StoredRecipe): { recipe: Recipe; parameters: unknown } {
  const { name, ...parameters } = request;
  const recipe = findRecipe(name);
  if (!recipe) throw new TypeError(`There is no recipe ${name}`);
  return { recipe, parameters };
}
