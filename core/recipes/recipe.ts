import * as z from 'zod';
import type { PendingPlan, Plan, PlanInput } from '../encoding/plan.ts';
import type { ErrorDetail } from '../errors.ts';
import type { Format } from '../media/formats.ts';

/** A file besides the inputs that a parameter names by URL, such as the image of a watermark. */
export type Asset = {
  /** The name of the parameter. */
  name: string;
  url: string;
  /** Selects the demuxers: those of video, audio and images, or those of subtitle text. */
  kind: 'media' | 'subtitles';
};

/**
 * How the dashboard may show a result beside its input. `same-time`: both at the same second. `from-start`: the result
 * begins at the second that the parameter `start` names. `none`: the two have no common timeline.
 */
export const comparisons = ['same-time', 'from-start', 'none'] as const;

export type Comparison = (typeof comparisons)[number];

type Formats = readonly [Format, ...Format[]];

/** A recipe as `defineRecipe` returns it: its functions parse the parameters themselves. */
export type Recipe<Name extends string = string, Parameters extends z.ZodObject = z.ZodObject> = {
  name: Name;
  title: string;
  description: string;
  /** Strict, with defaults and descriptions, and without transforms: its JSON Schema is the documentation. */
  parameters: Parameters;
  /** Schema of the `recipe` field of a request: the parameters and the name. */
  request: RecipeRequestSchema<Name, Parameters>;
  /** Accepted values of `output.format`. */
  formats: Formats;
  comparison: Comparison;
  /** Its result depends on whether the input has closed captions. */
  dependsOnCaptions?: true;
  /** Number of inputs; default: one. A request with more than one has `inputs`. */
  inputCount?: { min: number; max: number };
  /** An example request without its inputs. */
  example: { output: { format: Format }; recipe: z.input<RecipeRequestSchema<Name, Parameters>> };
  /** Errors of parameters that are valid on their own, but not with this output format. */
  conflicts(parameters: unknown, format: Format): ErrorDetail[];
  /** The files that the parameters name. They are downloaded before the plan. */
  assets(parameters: unknown): Asset[];
  /**
   * Returns the commands and outputs. Pure.
   * @throws JobError `INPUT_UNSUPPORTED` if the parameters do not fit this input
   */
  plan(input: PlanInput<unknown>): Plan | PendingPlan;
};

/** The schema of `{ name, ...parameters }`. */
export type RecipeRequestSchema<Name extends string, Parameters extends z.ZodObject> = z.ZodObject<
  Parameters['shape'] & { name: z.ZodLiteral<Name> },
  z.core.$strict
>;

type Declaration<Name extends string, Parameters extends z.ZodObject, Accepted extends Formats> = Omit<
  Recipe<Name, Parameters>,
  'request' | 'plan' | 'conflicts' | 'assets' | 'formats'
> & {
  formats: Accepted;
  conflicts?: (parameters: z.output<Parameters>, format: Accepted[number]) => ErrorDetail[];
  assets?: (parameters: z.output<Parameters>) => Asset[];
  plan: (input: PlanInput<z.output<Parameters>, Accepted[number]>) => Plan | PendingPlan;
};

/** Declares a recipe. Its functions receive parsed parameters with their defaults, and one of its own formats. */
export function defineRecipe<
  const Name extends string,
  Parameters extends z.ZodObject,
  const Accepted extends Formats,
>(declaration: Declaration<Name, Parameters, Accepted>): Recipe<Name, Parameters> {
  const { name, parameters: schema, formats, conflicts, assets, plan } = declaration;
  return {
    ...declaration,
    // safeExtend keeps the checks between parameters; extend rejects them. Its type does not resolve for a generic
    // schema, hence the cast.
    request: schema.safeExtend({ name: z.literal(name) }) as unknown as RecipeRequestSchema<Name, Parameters>,
    conflicts(parameters, format) {
      const parsed = schema.safeParse(parameters);
      // The schema of the request reports invalid parameters itself.
      if (!parsed.success) return [];
      return conflicts?.(parsed.data, requireFormat(name, formats, format)) ?? [];
    },
    assets: (parameters) => assets?.(schema.parse(parameters)) ?? [],
    plan: (input) =>
      plan({
        ...input,
        parameters: schema.parse(input.parameters),
        format: requireFormat(name, formats, input.format),
      }),
  };
}

function requireFormat<Accepted extends Formats>(
  recipe: string,
  formats: Accepted,
  format: Format,
): Accepted[number] {
  const accepted = formats.find((each): each is Accepted[number] => each === format);
  if (accepted === undefined) {
    throw new TypeError(`${recipe} writes ${formats.join(', ')}, not ${format}`);
  }
  return accepted;
}
