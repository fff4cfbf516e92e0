import type { PendingPlan, Plan, PlanInput } from '../../encoding/plan.ts';
import type { JobRequestRecord } from '../../jobs/record.ts';
import type { Format } from '../../media/formats.ts';
import {
  findRecipe,
  formatSchema,
  planRecipe,
  type RecipeRequest,
  recipeRequestSchema,
} from '../registry.ts';

/** One recipe of a job. A pipeline has several, each of which takes what the one before it made. */
export type Step = {
  /** Under which its output is delivered; an output without a name is only the next step's input. */
  name?: string;
  recipe: RecipeRequest;
  format: Format;
  /** Whether its output is only the next step's input. */
  isIntermediate: boolean;
};

/** What a step works with. */
export type StepContext = Pick<
  PlanInput<unknown>,
  'inputs' | 'assets' | 'filters' | 'fontsDirectory' | 'outputDirectory'
>;

/**
 * Plans a step.
 * @throws JobError `INPUT_UNSUPPORTED` where it makes no sense for its input
 */
export function planStep({ recipe, format, isIntermediate }: Step, place: StepContext): Plan | PendingPlan {
  const [first] = place.inputs;
  if (first === undefined) throw new TypeError('A step has at least one input');
  return planRecipe(recipe, { ...place, probe: first.probe, inputPath: first.path, format, isIntermediate });
}

type StepRequest = { name?: string | undefined; recipe: RecipeRequest };

/** The steps of a stored request, its recipes parsed; a job that runs one recipe has one step. */
export function readSteps({ recipe, steps, output }: JobRequestRecord): Step[] {
  const format = formatSchema.parse(output.format);
  const asked: NonNullable<JobRequestRecord['steps']> = steps ?? (recipe ? [{ recipe }] : []);
  const requests = asked.map(({ name, recipe: request }) => ({
    name,
    recipe: recipeRequestSchema.parse(request),
  }));
  return assignFormats(requests, format);
}

/**
 * The format of each step: the last one's is the request's. One before it writes the same where its recipe can, and
 * else the first that its recipe names; what nobody keeps is in one that loses less, or is written sooner.
 */
export function assignFormats(requests: readonly StepRequest[], last: Format): Step[] {
  return requests.map(({ name, recipe }, index) => {
    const isLast = index === requests.length - 1;
    const isIntermediate = !isLast && name === undefined;
    const format = isLast ? last : formatBefore(recipe, { last, isIntermediate });
    return { ...(name === undefined ? {} : { name }), recipe, format, isIntermediate };
  });
}

/**
 * MP4 keeps times to the tick, where the others round them and begin a little later from step to step; and WebM does not
 * hold H.264, which is written many times as fast as VP9. PNG loses nothing.
 */
const passingFormats: { [format in Format]?: Format } = { webm: 'mp4', mkv: 'mp4', jpg: 'png', webp: 'png' };

function formatBefore(
  { name }: RecipeRequest,
  { last, isIntermediate }: { last: Format; isIntermediate: boolean },
): Format {
  const recipe = findRecipe(name);
  if (recipe === undefined) throw new TypeError(`No recipe is called ${name}`);
  const formats: readonly Format[] = recipe.formats;
  const passing = passingFormats[last];
  // The codecs that a request may choose are those of its own format.
  const isFree = isIntermediate && !('codec' in recipe.parameters.shape);
  if (isFree && passing !== undefined && formats.includes(passing)) return passing;
  return formats.includes(last) ? last : recipe.formats[0];
}
