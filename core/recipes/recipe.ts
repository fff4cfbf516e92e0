import * as z from 'zod';
import type { Encoding } from '../encoding/encoding.ts';
import type { ErrorDetail } from '../errors.ts';
import type { Command } from '../media/ffmpeg/command.ts';
import type { Format } from '../media/formats.ts';
import type { OutputExpectation } from '../media/outputs/expectation.ts';
import type { Probe } from '../media/probe/probe.ts';

/** What a recipe plans from. */
export type PlanInput<Parameters> = {
  probe: Probe;
  parameters: Parameters;
  format: Format;
  /** Where the downloaded input lies. */
  inputPath: string;
  /** All inputs, in the order of the request: `inputPath` and `probe` are the first. */
  inputs: readonly MediaFile[];
  /** The files that parameters name, by the parameter's name. */
  assets: Readonly<Record<string, MediaFile>>;
  /** What this ffmpeg was built with; not every build has all filters. */
  filters: ReadonlySet<string>;
  /** Where the fonts lie that text is drawn with. */
  fontsDirectory: string;
  /** Where outputs go; each output's path is this directory and its `filename`. */
  outputDirectory: string;
  /** Whether nobody keeps what this step makes, and only the next one reads it. */
  isIntermediate?: boolean;
};

/** A downloaded file, and what was measured of it. */
export type MediaFile = { path: string; probe: Probe };

/** A file besides the inputs that a parameter names by its URL, such as the picture of a watermark. */
export type Asset = {
  /** The parameter. */
  name: string;
  url: string;
  /** What it has to be: pictures, film and sound are read by other rules than text. */
  kind: 'media' | 'subtitles';
};

/** One file that a job delivers. */
export type PlannedOutput = {
  /** Its key in `outputs` and `output_files`; `output` for a single-output recipe. */
  name: string;
  filename: string;
  format: Format;
  mimeType: string;
  /** What the finished file must be; left out for files that ffmpeg does not write. */
  expectation?: OutputExpectation;
  /** The whole text of a file that needs no ffmpeg. */
  content?: string;
};

/** Everything an encoding will do, decided before it starts. */
export type Plan = {
  commands: Command[];
  outputs: PlannedOutput[];
  /** What the commands are made of, where they are one encoding of a picture that could be done in chunks. */
  encoding?: Encoding;
  /** Figures that were found on the way and that the job tells, such as the loudness of its input. */
  measurements?: Record<string, number>;
  /** A last look at what was made, for figures that only the finished file has. */
  outputMeasurement?: OutputMeasurement;
};

/** A command that measures a finished file, and what is read from what ffmpeg says in it. */
export type OutputMeasurement = { command: Command; read(log: string): Record<string, number> };

/** A plan that is not decided yet: what it depends on has to be measured first. */
export type PendingPlan = {
  measure: Command[];
  /** How much of the whole work (0 to 1) is done when these have run. */
  progressAfter: number;
  /** What will be delivered, whatever is measured. */
  outputs: PlannedOutput[];
  /** That of the plan, but for a quality that is still to be found. */
  encoding?: Encoding;
  /** The plan, or what to measure next, from what ffmpeg said in the last of the runs. */
  decide(log: string): Plan | PendingPlan;
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
