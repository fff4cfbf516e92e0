import type { Damage } from '../media/damage.ts';
import type { StreamEncryption } from '../media/encryption/aes-128.ts';
import type { Command } from '../media/ffmpeg/command.ts';
import type { Decoding } from '../media/ffmpeg/ffmpeg-output.ts';
import { EncodeError, type Encoder, type RunOptions } from '../media/ffmpeg/ports.ts';
import type { VmafComparison } from '../media/ffmpeg/vmaf-comparison.ts';
import type { Format } from '../media/formats.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { JobWarning } from '../media/outputs/work-result.ts';
import type { AdaptiveTrack, PlannedPlaylist } from '../media/playlists/adaptive-set.ts';
import type { Segment } from '../media/playlists/segment-rates.ts';
import type { Probe, Stream } from '../media/probe/probe.ts';
import { damageAtSeams, undecodedShare } from './copy/seams.ts';
import type { WorkerMemory } from './encoder-memory.ts';
import type { Encoding, VideoEncoding } from './encoding.ts';

export type PlanInput<Parameters, Accepted extends Format = Format> = {
  probe: Probe;
  parameters: Parameters;
  format: Accepted;
  inputPath: string;
  /** All inputs in the order of the request. The first is that of `inputPath` and `probe`. */
  inputs: readonly MediaFile[];
  /** The files that parameters name, by parameter name. */
  assets: Readonly<Record<string, MediaFile>>;
  /** Whether this worker can score videos by VMAF. */
  canCompare: boolean;
  fontsDirectory: string;
  /** The path of an output is this directory and its `filename`. */
  outputDirectory: string;
  /** The memory of this worker. Left out: encodings of any size are planned. */
  memory?: WorkerMemory | undefined;
  /** Only the next step of the pipeline reads the output. */
  isIntermediate?: boolean;
  /**
   * Set for steps that become one encoding, which they make for `source`. `probe` is then of what the steps before would
   * write, whose encoding is `earlier`.
   */
  fusion?: { source: Probe; earlier?: VideoEncoding | undefined; isMuted?: boolean };
};

export type MediaFile = { path: string; probe: Probe };

/** What applies to all files of an adaptive stream. */
export type StreamOptions = {
  segmentSeconds: number;
  /** Left out: they are not encrypted. */
  encryption?: StreamEncryption | undefined;
};

export type PlannedOutput = {
  /** Key in `outputs` and `output_files`; `output` for a recipe with a single output. */
  name: string;
  /** Of the files of one output; `output` if left out. */
  folder?: string;
  filename: string;
  format: Format;
  /** Compared with the finished file; left out for files that ffmpeg does not write. */
  expectation?: OutputExpectation;
  /** The streams that this file has from the input without encoding, as a probe of the file would report them. */
  copiedStreams?: readonly Stream[];
  /** The whole text of a file that needs no ffmpeg. */
  content?: string;
  /** The track of an adaptive stream that this file is. */
  track?: AdaptiveTrack;
  /** Set for a playlist that describes the tracks of the other outputs. */
  playlist?: PlannedPlaylist & StreamOptions;
  /** The segments in `content`, without gaps between them. */
  textSegments?: readonly Segment[];
};

/** The encoding of one of several inputs that follow one another in the output. */
export type ClipEncoding = {
  file: MediaFile;
  encoding: VideoEncoding;
  /** Number of its frames at the constant rate of the encoding, by the header of the file. */
  frames: number;
};

/** The commands that run a recipe on one job's inputs, and the outputs that they write. */
export type Plan = {
  commands: Command[];
  outputs: PlannedOutput[];
  /** The options behind the commands, if they are one encoding of a video that can be split into chunks. */
  encoding?: Encoding | undefined;
  /** Set if the output is that of several inputs. `encoding` is that of the first. */
  clips?: readonly ClipEncoding[] | undefined;
  /** Figures measured while planning that the job reports, such as the loudness of its input. */
  measurements?: Record<string, number>;
  /** What the outputs lack of the input, or what was assumed of it. */
  warnings?: readonly JobWarning[];
  /** Verifies streams that the commands copy. */
  copyCheck?: CopyCheck;
  /** Of the source, as far as a copy was decoded. */
  damage?: readonly Damage[];
  /** Measures a figure that only the finished file has. */
  outputMeasurement?: OutputMeasurement;
};

/** Runs of ffmpeg that decode a copy at its seams: ffmpeg exits with 0 for a copy that no player can decode. */
export type CopyCheck = {
  /** One after the other: each holds the decoded frames of all its inputs in memory. */
  file: readonly Command[];
  /** The same of the source, which may be damaged itself. Left out if what does not decode is the fault of the copy. */
  source?: Command;
  /** Replaces a copy that does not decode. @throws JobError `INPUT_UNSUPPORTED` if the recipe only copies */
  otherwise(): Pick<Plan, 'commands' | 'outputs'>;
};

/** A run of ffmpeg, a comparison of two videos, or a probe or the text of a file that an earlier task wrote. */
export type PlanTask = Command | VmafComparison | { probePath: string } | TextReading;

/** Reads the text of a file, which `rewrite` changes also on the disk. */
type TextReading = { textPath: string; rewrite?: ((text: string) => string) | undefined };

export type TaskResult = {
  log?: string;
  decoding?: Decoding | undefined;
  frameScores?: readonly number[];
  probe?: Probe;
  text?: string;
};

/** Tasks that measure a finished file, and a function that reads the figures, or the next measurement, from them. */
export type OutputMeasurement = {
  measure: PlanTask[];
  read(log: string, results: readonly TaskResult[]): Record<string, number> | OutputMeasurement;
  /** What is usually measured, if the first tasks decide on it. For the cost of the plan. */
  expected?: readonly PlanTask[];
  /** It compares the file with the source by `measureVmaf`, which the join of chunks repeats with its own files. */
  comparesWithSource?: true;
};

export type PendingPlan = {
  measure: PlanTask[];
  /** Share of all work, 0 to 1, that is done after these tasks. */
  progressAfter: number;
  /** The outputs of the final plan. They do not depend on the measurement. */
  outputs: PlannedOutput[];
  /** The encoding of the final plan, except for a quality that is still unknown. */
  encoding?: Encoding | undefined;
  /** Set with the `clips` of the final plan. */
  clips?: readonly ClipEncoding[] | undefined;
  /** The plan whose encoding is split into chunks. Left out: that of the measurement. */
  inChunks?: Plan | PendingPlan | undefined;
  /** Returns the plan, or the next measurement, from ffmpeg's last log and the results of all tasks. */
  decide(log: string, results: readonly TaskResult[]): Plan | PendingPlan;
  /** The usual result of `decide`, without a measurement: the cost of the job is estimated from it. */
  expected(): Plan | PendingPlan;
};

/** The range of all work, from 0 to 1, that one task does. */
export type ProgressShare = { from: number; to: number; isLast: boolean };

export type RunTask = (task: PlanTask, share: ProgressShare) => Promise<TaskResult>;

export async function runTask(encoder: Encoder, task: PlanTask, options: RunOptions): Promise<TaskResult> {
  if ('encoded' in task) return { frameScores: (await encoder.compare(task, options)).frameScores };
  if ('probePath' in task) {
    return { probe: await encoder.probe(task.probePath, { signal: options.signal, role: 'output' }) };
  }
  if ('textPath' in task) return { text: await readText(encoder, task) };
  const { log, decoding } = await encoder.run(task, options);
  return { log, decoding };
}

async function readText(encoder: Encoder, { textPath, rewrite }: TextReading): Promise<string> {
  const text = await encoder.readText(textPath);
  if (rewrite === undefined) return text;
  const rewritten = rewrite(text);
  if (rewritten !== text) await encoder.writeText(textPath, rewritten);
  return rewritten;
}

/** Share of all work that is done when the check of copied streams and the measurement of the finished file begin. */
const outputMeasurementFrom = 0.95;

/** Runs measurements, commands, the check of copied streams, and the measurement of the file. Returns all figures. */
export async function executePlan(plan: Plan | PendingPlan, run: RunTask): Promise<Plan> {
  const { plan: resolved, progress } = await resolvePlan(plan, run);
  const to = resolved.outputMeasurement ? outputMeasurementFrom : 1;
  await runTasks(resolved.commands, { from: progress, to }, run);
  const { outputMeasurement, ...written } = await verifyCopy(resolved, run);
  if (outputMeasurement === undefined) return written;
  const measured = await measureOutput(outputMeasurement, run);
  return { ...written, measurements: { ...written.measurements, ...measured } };
}

/** The plan of the file that is there: that of the copy if it decodes as its source does, else that of what replaces it. */
async function verifyCopy({ copyCheck, ...copied }: Plan, run: RunTask): Promise<Plan> {
  if (copyCheck === undefined) return copied;
  const { file, source, otherwise } = copyCheck;
  const decode = async (commands: readonly Command[]): Promise<Decoding | undefined> => {
    const share = { from: outputMeasurementFrom, to: 1 };
    const results = await runTasks(commands, share, run).catch((cause: unknown) => {
      // ffmpeg fails if it can decode nothing at all.
      if (cause instanceof EncodeError && cause.code !== 'TIMEOUT' && !cause.retryable) return [cause.runRecord];
      throw cause;
    });
    const [first, ...others] = results.flatMap(({ decoding }) => decoding ?? []);
    return first && { ...first, streams: [first, ...others].flatMap(({ streams }) => streams) };
  };
  const found = await decode(file);
  const undecoded = undecodedShare(found);
  if (found === undefined || undecoded === 0) return copied;
  if (source && undecodedShare(await decode([source])) >= undecoded - maxDifference) {
    return { ...copied, damage: damageAtSeams(found) };
  }
  const replaced = { ...copied, ...otherwise() };
  await runTasks(replaced.commands, { from: outputMeasurementFrom, to: 1 }, run);
  return replaced;
}

/** A seek in the source may find another keyframe than one in the copy. */
const maxDifference = 0.1;

/** Runs only the measurements that a plan depends on. `progress` is the share of all work, 0 to 1, done by then. */
export async function resolvePlan(plan: Plan | PendingPlan, run: RunTask): Promise<{ plan: Plan; progress: number }> {
  let progress = 0;
  let current = plan;
  while ('measure' in current) {
    const { measure, progressAfter, decide } = current;
    const results = await runTasks(measure, { from: progress, to: progressAfter }, (task, share) =>
      run(task, { ...share, isLast: false }),
    );
    progress = progressAfter;
    current = decide(lastLog(results), results);
  }
  return { plan: current, progress };
}

export async function measureOutput(measurement: OutputMeasurement, run: RunTask): Promise<Record<string, number>> {
  let current: OutputMeasurement | Record<string, number> = measurement;
  while (isMeasurement(current)) {
    const { measure, read }: OutputMeasurement = current;
    const results = await runTasks(measure, { from: outputMeasurementFrom, to: 1 }, run);
    current = read(lastLog(results), results);
  }
  return current;
}

function isMeasurement(value: OutputMeasurement | Record<string, number>): value is OutputMeasurement {
  return typeof value.read === 'function';
}

function lastLog(results: readonly TaskResult[]): string {
  return results.findLast(({ log }) => log !== undefined)?.log ?? '';
}

/** Runs the tasks one after the other, each with an equal share of the progress. */
async function runTasks(
  tasks: readonly PlanTask[],
  { from, to }: { from: number; to: number },
  run: RunTask,
): Promise<TaskResult[]> {
  const step = (to - from) / tasks.length;
  const results: TaskResult[] = [];
  for (const [index, task] of tasks.entries()) {
    const share = { from: from + index * step, to: from + (index + 1) * step };
    results.push(await run(task, { ...share, isLast: index === tasks.length - 1 }));
  }
  return results;
}
