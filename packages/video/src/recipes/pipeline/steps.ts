import type { PendingPlan, Plan, PlanInput, PlannedOutput } from '../../encoding/plan.ts';
import { JobError } from '../../errors.ts';
import type { Format } from '../../media/formats.ts';
import type { JobWarning } from '../../media/warning.ts';
import { dependsOnCaptions, findRecipe, planRecipe, type RecipeRequest } from '../registry.ts';

/** One recipe of a job. In a pipeline, the output of a step is the input of the next. */
export type Step = {
  /** The output is delivered under this name. Without a name, only the next step reads it. */
  name?: string | undefined;
  recipe: RecipeRequest;
  format: Format;
  isIntermediate: boolean;
};

export type StepContext = Pick<
  PlanInput<unknown>,
  'inputs' | 'assets' | 'canCompare' | 'fontsDirectory' | 'outputDirectory' | 'memory'
>;

/** @throws JobError `INPUT_UNSUPPORTED` if the recipe does not fit its input */
export function planStep({ recipe, format, isIntermediate }: Step, context: StepContext): Plan | PendingPlan {
  const [first] = context.inputs;
  if (first === undefined) throw new TypeError('A step needs at least one input');
  const { path: inputPath, probe } = first;
  const planAs = (chosen: Format) =>
    planRecipe(recipe, { ...context, probe, inputPath, format: chosen, isIntermediate });
  if (!isIntermediate || !copiesStreams(recipe) || format === 'mkv') return planAs(format);
  try {
    return planAs(format);
  } catch (cause) {
    if (!(cause instanceof JobError)) throw cause;
    // Matroska holds nearly every codec, and nobody asked for the container of an intermediate.
    return planAs('mkv');
  }
}

/** Whether a recipe writes the streams of its input without encoding, or fails. */
export function copiesStreams(recipe: RecipeRequest): boolean {
  return recipe.name === 'remux' || (recipe.name === 'clip' && recipe.accuracy === 'keyframe');
}

/** Whether the result of a step from the number `from` on, counted from 0, depends on closed captions of its input. */
export function dependOnCaptions(steps: readonly Step[], from: number): boolean {
  return steps.slice(from).some(({ recipe }) => dependsOnCaptions(recipe));
}

/** Names a step of a pipeline to its owner. */
export function stepLabel(steps: readonly Pick<Step, 'recipe'>[], index: number): string {
  return `Step ${index + 1} (${steps[index]?.recipe.name})`;
}

/** Measurements as the job reports them: those of a pipeline with the name of their step, or its number. */
export function nameMeasurements(
  steps: readonly Pick<Step, 'name'>[],
  index: number,
  measurements: Record<string, number> = {},
): Record<string, number> {
  if (steps.length === 1) return measurements;
  const step = steps[index]?.name ?? `step-${index + 1}`;
  return Object.fromEntries(Object.entries(measurements).map(([name, value]) => [`${step}.${name}`, value]));
}

/** Warnings as the job reports them: those of a pipeline name their step. */
export function nameWarnings(
  steps: readonly Pick<Step, 'name' | 'recipe'>[],
  index: number,
  warnings: readonly JobWarning[] = [],
): readonly JobWarning[] {
  if (steps.length === 1) return warnings;
  const { name } = steps[index] ?? {};
  const label = stepLabel(steps, index);
  return warnings.map(({ code, message, output = name }) => ({
    code,
    message: `${label}: ${message}`,
    ...(output === undefined ? {} : { output }),
  }));
}

/** An output as the job delivers it: the files of a named step lie in its folder, and its only output takes its name. */
export function nameOutput({ name }: Pick<Step, 'name'>, output: PlannedOutput): PlannedOutput {
  if (name === undefined) return output;
  return { ...output, folder: name, ...(output.name === 'output' && { name }) };
}

type StepRequest = { name?: string | undefined; recipe: RecipeRequest };

/**
 * Chooses the format of each step. The last step writes the format of the request. An earlier step writes the same
 * format if its recipe can, else the recipe's first. An intermediate uses a format that loses less or encodes faster;
 * `planStep` writes copied streams as mkv if this format cannot hold them.
 */
export function assignFormats(requests: readonly StepRequest[], lastFormat: Format): Step[] {
  return requests.map(({ name, recipe }, index) => {
    const isLast = index === requests.length - 1;
    const isIntermediate = !isLast && name === undefined;
    const format = isLast ? lastFormat : formatOfEarlierStep(recipe, { lastFormat, isIntermediate });
    return { name, recipe, format, isIntermediate };
  });
}

/**
 * The format of an intermediate, by the format of the request. MP4 stores exact timestamps; WebM and Matroska round
 * them, so the start would drift with every step. WebM cannot hold H.264, which encodes many times faster than VP9. PNG
 * is lossless.
 */
const intermediateFormats: { [format in Format]?: Format } = {
  webm: 'mp4',
  mkv: 'mp4',
  jpg: 'png',
  webp: 'png',
};

function formatOfEarlierStep(
  request: RecipeRequest,
  { lastFormat, isIntermediate }: { lastFormat: Format; isIntermediate: boolean },
): Format {
  const recipe = findRecipe(request.name);
  if (recipe === undefined) throw new TypeError(`There is no recipe ${request.name}`);
  const formats: readonly Format[] = recipe.formats;
  const intermediate = intermediateFormats[lastFormat];
  // A codec that was requested for the format of the request may not fit another.
  const isFixed = 'codec' in recipe.parameters.shape;
  // MP4 holds fewer kinds of subtitles than MKV.
  const losesTracks = lastFormat === 'mkv' && copiesStreams(request);
  const canChange = isIntermediate && !isFixed && !losesTracks;
  if (canChange && intermediate !== undefined && formats.includes(intermediate)) return intermediate;
  return formats.includes(lastFormat) ? lastFormat : recipe.formats[0];
}
