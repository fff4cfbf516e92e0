import type { JobRequestRecord } from '../jobs/job.ts';
import type { Format } from '../media/formats.ts';
import type { Measurement, Plan, PlanInput } from './recipe.ts';
import { findRecipe, formatSchema, planRecipe, type RecipeRequest, recipeRequestSchema } from './registry.ts';

/** One recipe of a job. A pipeline has several, each of which takes what the one before it made. */
export type Step = {
  /** Under which its output is delivered; an output without a name is only the next step's input. */
  name?: string;
  recipe: RecipeRequest;
  format: Format;
};

/** What a step works with. */
export type StepPlace = Pick<
  PlanInput<unknown>,
  'inputs' | 'assets' | 'filters' | 'fontsDirectory' | 'outputDirectory'
>;

/**
 * Plans a step.
 * @throws JobError `INPUT_UNSUPPORTED` where it makes no sense for its input
 */
export function planStep({ recipe, format }: Step, place: StepPlace): Plan | Measurement {
  const [first] = place.inputs;
  if (first === undefined) throw new TypeError('A step has at least one input');
  return planRecipe(recipe, { ...place, probe: first.probe, inputPath: first.path, format });
}

type StepRequest = { name?: string | undefined; recipe: RecipeRequest };

/** The steps of a stored request, its recipes parsed; a job that runs one recipe has one step. */
export function stepsOf({ recipe, steps, output }: JobRequestRecord): Step[] {
  const format = formatSchema.parse(output.format);
  const asked: NonNullable<JobRequestRecord['steps']> = steps ?? (recipe ? [{ recipe }] : []);
  const requests = asked.map(({ name, recipe: request }) => ({
    name,
    recipe: recipeRequestSchema.parse(request),
  }));
  return withFormats(requests, format);
}

/**
 * The format of each step: the last one's is the request's. One before it writes the same where its recipe can, and
 * else the first that its recipe names.
 */
export function withFormats(requests: readonly StepRequest[], last: Format): Step[] {
  return requests.map(({ name, recipe }, index) => ({
    ...(name === undefined ? {} : { name }),
    recipe,
    format: index === requests.length - 1 ? last : formatBefore(recipe, last),
  }));
}

function formatBefore({ name }: RecipeRequest, last: Format): Format {
  const formats = findRecipe(name)?.formats ?? [last];
  return formats.includes(last) ? last : formats[0];
}
