import { clipCommand } from '../encoding/concat/concat-video.ts';
import { encodingsByCodec, isLadderEncoding } from '../encoding/encoding.ts';
import type { ClipEncoding, MediaFile, PendingPlan, Plan, PlanTask } from '../encoding/plan.ts';
import type { ComparedVideo, VmafComparison } from '../media/ffmpeg/vmaf-comparison.ts';
import { type CommandCost, commandCost } from './command-cost.ts';
import { type CostTable, costTable } from './cost-table.ts';
import { megapixelsOf, type SourceFlows, sourceFlows } from './filter-cost.ts';

/** Processor seconds of ffmpeg on the calibrated machine, and the bytes of the outputs. */
export type PlanCost = Omit<CommandCost, 'written'> & {
  /** Of the runs behind the measurements that the plan depends on: what chunks share. */
  finalCpuSeconds: number;
  /** Of these, in the codec that takes the most. A chunk is a task in each codec, and so none takes longer. */
  codecCpuSeconds: number;
};

/** Twenty videos of `concat` and their audio; no plan measures more often on its usual course. */
const maxMeasurements = 50;

/**
 * Chunks of a target bit rate are measured by a fast encode, relative to a single pass at that rate. Assumed.
 * packages/video/src/chunking/DECISION.md
 */
const measurementShare = 0.25;
/** The first of two passes, relative to the second. Assumed. */
const firstPassShare = 0.5;

/** The cost of a plan on the files that it reads. What a measurement decides is taken as it usually turns out. */
export function planCost(
  plan: Plan | PendingPlan,
  files: readonly MediaFile[],
  table: CostTable = costTable,
): PlanCost {
  const known = new Map(files.map(({ path, probe }) => [path, sourceFlows(probe)]));
  let cpuSeconds = 0;
  let serialSeconds = 0;
  let written = { outputBytes: 0, copiedBytes: 0 };
  const encoders = new Set<string>();
  let runSeconds: number[] = [];
  const run = (tasks: readonly PlanTask[]) => {
    written = { outputBytes: 0, copiedBytes: 0 };
    runSeconds = [];
    for (const task of tasks) {
      if ('probePath' in task || 'textPath' in task) continue;
      if ('encoded' in task) {
        cpuSeconds += comparisonCost(task, known, table);
        continue;
      }
      const cost = commandCost(task, known, table);
      cpuSeconds += cost.cpuSeconds;
      runSeconds.push(cost.cpuSeconds);
      serialSeconds += cost.serialSeconds;
      written.outputBytes += cost.outputBytes;
      written.copiedBytes += cost.copiedBytes;
      for (const encoder of cost.encoders) encoders.add(encoder);
      for (const [path, flows] of cost.written) known.set(path, flows);
    }
  };
  let current = plan;
  for (let measured = 0; 'measure' in current && measured < maxMeasurements; measured += 1) {
    run(current.measure);
    current = current.expected();
  }
  if ('measure' in current) throw new TypeError('The usual course of a plan never ends');
  const measuringSeconds = cpuSeconds;
  // The measurement may have written the outputs itself.
  if (current.commands.length > 0) run(current.commands);
  const bytes = written;
  const largestShare = shareOfCodec(current, runSeconds);
  const { outputMeasurement } = current;
  if (outputMeasurement) run(outputMeasurement.expected ?? outputMeasurement.measure);
  const finalCpuSeconds = chunksSeconds(plan, { cpuSeconds, measuringSeconds });
  const codecCpuSeconds = finalCpuSeconds * largestShare;
  return { cpuSeconds, serialSeconds, finalCpuSeconds, codecCpuSeconds, ...bytes, encoders };
}

/** The share of the codec that takes the most. Each codec is one of the last runs. */
function shareOfCodec({ encoding }: Plan, runSeconds: readonly number[]): number {
  if (encoding === undefined || encodingsByCodec(encoding).length === 1) return 1;
  return Math.max(...runSeconds) / runSeconds.reduce((sum, seconds) => sum + seconds, 0);
}

/** The share of each clip in the cost of all. */
export function clipShares(clips: readonly ClipEncoding[], table: CostTable = costTable): number[] {
  const costs = clips.map((clip) => {
    const { path, probe } = clip.file;
    const known = new Map([[path, sourceFlows(probe)]]);
    return commandCost(clipCommand({ ...clip, path: 'clip' }), known, table).cpuSeconds;
  });
  const sum = costs.reduce((total, cost) => total + cost, 0);
  return costs.map((cost) => cost / sum);
}

function chunksSeconds(
  { encoding, clips }: Plan | PendingPlan,
  { cpuSeconds, measuringSeconds }: { cpuSeconds: number; measuringSeconds: number },
): number {
  // Clips are the measurements of a single pass, which counts their frames.
  if (clips !== undefined) return cpuSeconds;
  if (encoding === undefined || isLadderEncoding(encoding) || 'crf' in encoding.quality)
    return cpuSeconds - measuringSeconds;
  // The passes of a file of a given size are its measurements.
  const passes = encoding.quality.fileBytes === undefined ? 1 + firstPassShare : 1;
  return cpuSeconds * (passes + measurementShare);
}

/** Both videos are decoded, and each compared frame is scored. */
function comparisonCost(
  { encoded, source, durationSeconds, frameInterval }: VmafComparison,
  known: ReadonlyMap<string, SourceFlows>,
  table: CostTable,
): number {
  const decode = [encoded, source].reduce((sum, video) => sum + decodeOf(video, durationSeconds, known, table), 0);
  const scored = known.get(source.input.path)?.get(source.stream)?.flow;
  if (scored?.kind !== 'video') return decode;
  const megapixels = megapixelsOf({ ...scored, seconds: durationSeconds });
  return decode + (megapixels / frameInterval) * table.vmafPerMegapixel;
}

function decodeOf(
  { input, stream, filters }: ComparedVideo,
  durationSeconds: number,
  known: ReadonlyMap<string, SourceFlows>,
  table: CostTable,
): number {
  const limit = ['-t', durationSeconds.toFixed(3)];
  const outputArguments = ['-map', `0:${stream}`, '-vf', [{ filters }], ...limit, '-f', 'null', '-'];
  return commandCost({ inputs: [input], outputArguments }, known, table).cpuSeconds;
}
