import type { StoredRecipe } from '../registry.ts';
import type { Step } from './steps.ts';

type Name = StoredRecipe['name'];

/** Recipes that change frames, and have no parameters of the encoding. */
// biome-ignore format: a table
const frameRecipes: readonly Name[] = [
  'clip', 'resize', 'rotate', 'speed', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr',
];

/** One encode has one overlay and one file of subtitles. */
const onceInEncode: readonly Name[] = ['watermark', 'burn-subtitles'];

/**
 * The same steps, of which those that one encode can express are absorbed by the last of them, which then reads what the first
 * one reads. Steps are fused in their order if nothing else reads or gets what they make, and the frames stay the same.
 */
export function fuseSteps(steps: readonly Step[]): Step[] {
  const fused: Step[] = [...steps];
  for (const [index, step] of steps.entries()) {
    const before = step.from === undefined ? undefined : fused[step.from];
    if (before === undefined || step.from === undefined) continue;
    const readers = steps.filter(({ from }) => from === step.from).length;
    const recipes = [...(before.earlier?.recipes ?? []), before.recipe];
    const isConditional = (before.output?.when ?? step.output?.when) !== undefined;
    if (!before.isIntermediate || readers > 1 || isConditional || !canFuse(recipes, step.recipe)) continue;
    const earlier = { index: before.earlier?.index ?? step.from, recipes };
    fused[index] = { ...step, from: before.from, earlier };
    fused[step.from] = { ...before, isAbsorbed: true };
  }
  return fused;
}

/** The recipes that a step runs, those of absorbed steps first. */
export function recipesOf({ recipe, earlier, isAbsorbed }: Step): readonly StoredRecipe[] {
  return isAbsorbed ? [] : [...(earlier?.recipes ?? []), recipe];
}

/** Whether a recipe can go on with the frames of those before it, of which only the last may encode by its own parameters. */
function canFuse(before: readonly StoredRecipe[], next: StoredRecipe): boolean {
  if (!before.every(changesFrames) || !(changesFrames(next) || endsEncode(next))) return false;
  const has = (name: Name) => before.some((each) => each.name === name);
  if (onceInEncode.includes(next.name) && has(next.name)) return false;
  // Which frames a new rate keeps depends on times, which a file between two steps rounds.
  if (changesRate(next)) return before.every(({ name }) => name === 'mute');
  // A range is of the source, whose times another rate moves; so does a muted video that is shown from 0 on.
  return next.name !== 'clip' || !(before.some(changesRate) || has('mute'));
}

function changesFrames(recipe: StoredRecipe): boolean {
  return frameRecipes.includes(recipe.name) && !(recipe.name === 'clip' && recipe.accuracy !== 'frame');
}

/** What depends on a comparison with the source, or on its own tracks, is planned on a file. */
function endsEncode(recipe: StoredRecipe): boolean {
  if (recipe.name !== 'compress' && recipe.name !== 'transcode') return false;
  if ((recipe.targetVmaf ?? recipe.targetSizeMb) !== undefined) return false;
  return recipe.name === 'compress' || (recipe.codec !== 'prores' && recipe.audioTracks === undefined);
}

function changesRate(recipe: StoredRecipe): boolean {
  return recipe.name === 'speed' || (recipe.name === 'transcode' && recipe.fps !== undefined);
}
