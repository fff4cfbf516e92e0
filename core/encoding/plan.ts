import type { Command } from '../media/ffmpeg/command.ts';
import type { Format } from '../media/formats.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { Probe } from '../media/probe/probe.ts';
import type { Encoding } from './encoding.ts';

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
