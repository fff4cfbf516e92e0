import * as z from 'zod';
import type { PlanInput } from '../encoding/plan.ts';
import type { Format } from '../media/formats.ts';

/** The label of every value up to `max`; the last of a list has no `max`. */
export type ValueLabel = { max?: number; label: string };

/** The keywords of JSON Schema that describe one parameter of a recipe, or the object of all parameters. */
export type ParameterSchema = {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  anyOf?: readonly ParameterSchema[];
  items?: ParameterSchema;
  properties?: Record<string, ParameterSchema>;
  required?: readonly string[];
  'x-value-labels'?: readonly ValueLabel[];
};

/** Maximum length of a URL in a request. */
export const maxUrlCharacters = 2_048;

/** A file besides the inputs that a parameter names by URL, such as the image of a watermark. */
export type Asset = {
  /** The name of the parameter. In a list of files its index follows: `subtitles.0`. */
  name: string;
  /** Path of the URL among the parameters, where it is not the name: `subtitles.0.url`. */
  path?: string;
  url: string;
  /** Selects the demuxers: those of video, audio and images, or those of subtitle text. */
  kind: 'media' | 'subtitles';
};

/** Parameters that exclude each other: the JSON path of one, such as `recipe.crf`, and what is wrong with it. */
export type ParameterConflict = { path: string; message: string };

/**
 * How the dashboard may show a result beside its input. `same-time`: both at the same second. `from-start`: the result
 * begins at the second that the parameter `start` names. `none`: the two have no common timeline.
 */
export const comparisons = ['same-time', 'from-start', 'none'] as const;

export type Comparison = (typeof comparisons)[number];

type Formats = readonly [Format, ...Format[]];

/**
 * The contract of a recipe: all that a request, the documentation and the forms need. Its planning is a function of its
 * own beside it, so that the functions of the API have no code of ffmpeg arguments.
 */
export type Recipe<
  Name extends string = string,
  Parameters extends z.ZodObject = z.ZodObject,
  Accepted extends Formats = Formats,
> = {
  name: Name;
  title: string;
  description: string;
  /** Strict, without transforms: its JSON Schema is the documentation. Made at its first use: a request needs one. */
  readonly parameters: Parameters;
  /** Schema of the `recipe` field of a request: the parameters and the name. Made at its first use. */
  readonly request: RecipeRequestSchema<Name, Parameters>;
  /** Accepted values of `output.format`. */
  formats: Accepted;
  comparison: Comparison;
  /** Its result depends on whether the input has closed captions. */
  dependsOnCaptions?: true;
  /** Its outputs have names of their own, such as `720p`. */
  severalOutputs?: true;
  /** It decodes nothing, so it accepts inputs beyond the limits of a stage. */
  describesOnly?: true;
  /** Number of inputs; default: one. A request with more than one has `inputs`. */
  inputCount?: { min: number; max: number };
  /** An example request without its inputs. */
  example: { output: { format: Format }; recipe: z.input<RecipeRequestSchema<Name, Parameters>> };
  /** Errors of parameters that are valid on their own, but not with this output format. */
  conflicts(parameters: unknown, format: Format): ParameterConflict[];
  /** The files that the parameters name. They are downloaded before the plan. */
  assets(parameters: unknown): Asset[];
  /** Valid parameters with the defaults written out that follow from others, such as the crf of a codec. */
  withDefaults(parameters: unknown, format: Format): Record<string, unknown>;
};

/** The input of a recipe's plan: parsed parameters with their defaults, and one of its own formats. */
export type RecipeInput<R extends Recipe> = PlanInput<z.output<R['parameters']>, R['formats'][number]>;

type RecipeRequestSchema<Name extends string, Parameters extends z.ZodObject> = z.ZodObject<
  Parameters['shape'] & { name: z.ZodLiteral<Name> },
  z.core.$strict
>;

type Declaration<Name extends string, Parameters extends z.ZodObject, Accepted extends Formats> = Omit<
  Recipe<Name, Parameters, Accepted>,
  'parameters' | 'request' | 'conflicts' | 'assets' | 'withDefaults'
> & {
  parameters: () => Parameters;
  conflicts?: (parameters: z.output<Parameters>, format: Accepted[number]) => ParameterConflict[];
  assets?: (parameters: z.output<Parameters>) => Asset[];
  withDefaults?: (parameters: z.output<Parameters>, format: Accepted[number]) => z.output<Parameters>;
};

/** Declares a recipe. Its functions receive parsed parameters with their defaults, and one of its own formats. */
export function defineRecipe<const Name extends string, Parameters extends z.ZodObject, const Accepted extends Formats>(
  declaration: Declaration<Name, Parameters, Accepted>,
): Recipe<Name, Parameters, Accepted> {
  const { name, conflicts, assets, withDefaults } = declaration;
  let parameters: Parameters | undefined;
  let request: RecipeRequestSchema<Name, Parameters> | undefined;
  return {
    ...declaration,
    get parameters() {
      parameters ??= declaration.parameters();
      return parameters;
    },
    get request() {
      // safeExtend keeps the checks between parameters; extend rejects them. Its type does not resolve for a generic
      // schema, hence the cast.
      request ??= this.parameters.safeExtend({ name: z.literal(name) }) as unknown as typeof request & {};
      return request;
    },
    conflicts(values, format) {
      if (conflicts === undefined) return [];
      const parsed = this.parameters.safeParse(values);
      // The schema of the request reports invalid parameters itself.
      return parsed.success ? conflicts(parsed.data, requireFormat(this, format)) : [];
    },
    assets(values) {
      return assets?.(this.parameters.parse(values)) ?? [];
    },
    withDefaults(values, format) {
      const parsed = this.parameters.parse(values);
      return withDefaults === undefined ? parsed : withDefaults(parsed, requireFormat(this, format));
    },
  };
}

/** @throws TypeError if the recipe does not write this format, which its request excludes */
export function requireFormat<Accepted extends Formats>(
  { name, formats }: { name: string; formats: Accepted },
  format: Format,
): Accepted[number] {
  const accepted = formats.find((each): each is Accepted[number] => each === format);
  if (accepted === undefined) throw new TypeError(`${name} writes ${formats.join(', ')}, not ${format}`);
  return accepted;
}
