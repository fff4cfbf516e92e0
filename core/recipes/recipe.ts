import * as z from 'zod';
import type { PendingPlan, Plan, PlanInput } from '../encoding/plan.ts';
import type { ErrorDetail } from '../errors.ts';
import type { Format } from '../media/formats.ts';

/** A file besides the inputs that a parameter names by its URL, such as the picture of a watermark. */
export type Asset = {
  /** The parameter. */
  name: string;
  url: string;
  /** What it has to be: pictures, film and sound are read by other rules than text. */
  kind: 'media' | 'subtitles';
};

/**
 * How the dashboard may show a result beside its input: `same-time` shows both at the same second, `from-start` shows
 * the result from the second that the parameter `start` names. `none`: the two have no common timeline.
 */
export const comparisons = ['same-time', 'from-start', 'none'] as const;

export type Comparison = (typeof comparisons)[number];

/** A recipe as the rest of the service sees it. */
export type Recipe<Name extends string = string, Parameters extends z.ZodObject = z.ZodObject> = {
  name: Name;
  title: string;
  description: string;
  /** Strict, with defaults and descriptions, and without transforms: its JSON Schema is the documentation. */
  parameters: Parameters;
  /** The `recipe` field of a request: the parameters and the name. */
  request: RecipeRequestSchema<Name, Parameters>;
  /** The values of `output.format` that it accepts. */
  formats: readonly [Format, ...Format[]];
  comparison: Comparison;
  /** How many inputs it takes; one where left out. With more than one the request has `inputs`. */
  inputCount?: { min: number; max: number };
  /** The part of a request that runs it. */
  example: { output: { format: Format }; recipe: z.input<RecipeRequestSchema<Name, Parameters>> };
  /** What is wrong with parameters that are each valid, but not with this output format. */
  conflicts(parameters: unknown, format: Format): ErrorDetail[];
  /** The files that these parameters name, to be downloaded before the plan. */
  assets(parameters: unknown): Asset[];
  /**
   * Decides commands and outputs. Pure.
   * @throws JobError `INPUT_UNSUPPORTED` where the parameters make no sense for this input.
   */
  plan(input: PlanInput<unknown>): Plan | PendingPlan;
};

/** The schema of `{ name, ...parameters }`. */
export type RecipeRequestSchema<Name extends string, Parameters extends z.ZodObject> = z.ZodObject<
  Parameters['shape'] & { name: z.ZodLiteral<Name> },
  z.core.$strict
>;

type Declaration<Name extends string, Parameters extends z.ZodObject> = Omit<
  Recipe<Name, Parameters>,
  'request' | 'plan' | 'conflicts' | 'assets'
> & {
  conflicts?: (parameters: z.output<Parameters>, format: Format) => ErrorDetail[];
  assets?: (parameters: z.output<Parameters>) => Asset[];
  plan: (input: PlanInput<z.output<Parameters>>) => Plan | PendingPlan;
};

/** Declares a recipe; its functions receive parameters that were parsed and have their defaults. */
export function defineRecipe<const Name extends string, Parameters extends z.ZodObject>(
  declaration: Declaration<Name, Parameters>,
): Recipe<Name, Parameters> {
  const { parameters: schema, conflicts, assets, plan } = declaration;
  return {
    ...declaration,
    // safeExtend keeps the checks across parameters, which extend refuses; its type does not follow generics.
    request: schema.safeExtend({ name: z.literal(declaration.name) }) as unknown as RecipeRequestSchema<
      Name,
      Parameters
    >,
    conflicts: (parameters, format) => conflicts?.(schema.parse(parameters), format) ?? [],
    assets: (parameters) => assets?.(schema.parse(parameters)) ?? [],
    plan: (input) => plan({ ...input, parameters: schema.parse(input.parameters) }),
  };
}
