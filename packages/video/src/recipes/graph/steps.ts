import type { PendingPlan, Plan, PlanInput, PlannedOutput } from '../../encoding/plan.ts';
import { addOutputToError, JobError, prefixJobError } from '../../errors.ts';
import type { Format } from '../../media/formats.ts';
import type { JobWarning } from '../../media/warning.ts';
import { dependsOnCaptions, findRecipe, planRecipe, type StoredRecipe } from '../registry.ts';
import { type Condition, runOrder } from './conditions.ts';
import { planFused } from './plan-fused.ts';

/**
 * One recipe of a job. The steps of a job are a graph, in an order in which each comes behind the one that it reads. A job
 * of one recipe has one step; in a pipeline each step reads the one before it.
 */
export type Step = {
  /** The output is delivered under this name. Without a name, only the next step reads it. */
  name?: string | undefined;
  recipe: StoredRecipe;
  format: Format;
  /** Only other steps read the output. */
  isIntermediate: boolean;
  /** The number of the step whose output it reads, from 0. Undefined: it reads the inputs of the job. */
  from?: number | undefined;
  /** Set in a job of several outputs, where each step makes the one of its name. */
  output?: { when?: Condition | undefined; isOptional: boolean } | undefined;
  /** A later step is one encode with it, and runs its recipe. */
  isAbsorbed?: true;
  /** The recipes of the steps before it that are one encode with it, and the number of the first of them, from 0. */
  earlier?: { index: number; recipes: readonly StoredRecipe[] };
};

export type StepContext = Pick<
  PlanInput<unknown>,
  'inputs' | 'assets' | 'canCompare' | 'fontsDirectory' | 'outputDirectory' | 'memory'
>;

/** @throws JobError `INPUT_UNSUPPORTED` if the recipe does not fit its input */
export function planStep(step: Step, context: StepContext): Plan | PendingPlan {
  const { recipe, format, isIntermediate, earlier } = step;
  const [first] = context.inputs;
  if (first === undefined) throw new TypeError('A step needs at least one input');
  const { path: inputPath, probe } = first;
  if (earlier) {
    const { index, recipes } = earlier;
    return planFused([...recipes, recipe], { ...context, probe, inputPath, format, isIntermediate, index });
  }
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
export function copiesStreams(recipe: StoredRecipe): boolean {
  return recipe.name === 'remux' || (recipe.name === 'clip' && recipe.accuracy === 'keyframe');
}

/** Whether the result of a step from the number `from` on, counted from 0, depends on closed captions of its input. */
export function dependOnCaptions(steps: readonly Step[], from: number): boolean {
  return steps.slice(from).some(({ recipe }) => dependsOnCaptions(recipe));
}

/** Names a step of a pipeline to its owner, with those that are one encode with it. */
export function stepLabel(steps: readonly Pick<Step, 'recipe' | 'earlier'>[], index: number): string {
  const { recipe, earlier } = steps[index] ?? {};
  if (earlier === undefined) return `Step ${index + 1} (${recipe?.name})`;
  const names = [...earlier.recipes.map(({ name }) => name), recipe?.name];
  return `Steps ${earlier.index + 1} to ${index + 1} (${names.join(', ')})`;
}

/** Measurements as the job reports them: those of a pipeline with the name of their step, or its number. */
export function nameMeasurements(
  steps: readonly Pick<Step, 'name' | 'output'>[],
  index: number,
  measurements: Record<string, number> = {},
): Record<string, number> {
  if (isOfOneRecipe(steps)) return measurements;
  const step = steps[index]?.name ?? `step-${index + 1}`;
  return Object.fromEntries(Object.entries(measurements).map(([name, value]) => [`${step}.${name}`, value]));
}

/** Warnings as the job reports them: those of a pipeline name their step, those of an output its name. */
export function nameWarnings(
  steps: readonly Pick<Step, 'name' | 'recipe' | 'output' | 'earlier'>[],
  index: number,
  warnings: readonly JobWarning[] = [],
): readonly JobWarning[] {
  if (isOfOneRecipe(steps)) return warnings;
  const { name, output: ofOutput } = steps[index] ?? {};
  if (ofOutput !== undefined) return warnings.map((warning) => ({ ...warning, output: name }));
  const label = stepLabel(steps, index);
  return warnings.map(({ code, message, output = name }) => ({
    code,
    message: `${label}: ${message}`,
    ...(output === undefined ? {} : { output }),
  }));
}

/** Whether a job has a single step, and answers with `output`. */
function isOfOneRecipe([first, ...others]: readonly Pick<Step, 'output'>[]): boolean {
  return others.length === 0 && first?.output === undefined;
}

/** Names the step in an error of a job that has several, or the output. */
export function addStepToError(cause: unknown, steps: readonly Step[], index: number): unknown {
  const { name, output } = steps[index] ?? {};
  if (output !== undefined && name !== undefined) return addOutputToError(cause, name);
  const isNamed = cause instanceof JobError && /^Step \d+ \(/.test(cause.message);
  return isOfOneRecipe(steps) || isNamed ? cause : prefixJobError(cause, stepLabel(steps, index));
}

/**
 * An output as the job delivers it: the files of a named step lie in its folder, and its only file takes its name. In a job
 * of several outputs, the files of a set are named after both.
 */
export function nameOutput(
  { name, output: ofOutput }: Pick<Step, 'name' | 'output'>,
  output: PlannedOutput,
): PlannedOutput {
  if (name === undefined) return output;
  const isOnly = output.name === 'output';
  const ofSet = ofOutput === undefined ? output.name : `${name}/${output.name}`;
  return { ...output, folder: name, name: isOnly ? name : ofSet };
}

type StepRequest = { name?: string | undefined; recipe: StoredRecipe };

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
    return { name, recipe, format, isIntermediate, ...(index > 0 && { from: index - 1 }) };
  });
}

type OutputRequest = {
  from?: string | undefined;
  recipe: StoredRecipe;
  format: Format;
  when?: Condition | undefined;
  optional?: boolean | undefined;
  deliver?: boolean | undefined;
};

/** The steps of a job of several outputs, in the order in which they run. */
export function orderOutputs(outputs: Readonly<Record<string, OutputRequest>>): Step[] {
  const names = runOrder(outputs);
  return names.flatMap((name): Step[] => {
    const request = outputs[name];
    if (request === undefined) return [];
    const { from, recipe, format, when, optional: isOptional = false, deliver = true } = request;
    const reads = from === undefined ? {} : { from: names.indexOf(from) };
    return [{ name, recipe, format, isIntermediate: !deliver, ...reads, output: { when, isOptional } }];
  });
}

/**
 * The format of an intermediate, by the format of the request. MP4 stores exact timestamps; WebM and Matroska round
 * them, so the start would drift with every step. WebM cannot hold H.264, which encodes many times faster than VP9. PNG
 * is lossless.
 */
const intermediateFormats: { [format in Format]?: Format } = { webm: 'mp4', mkv: 'mp4', jpg: 'png', webp: 'png' };

function formatOfEarlierStep(
  request: StoredRecipe,
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
