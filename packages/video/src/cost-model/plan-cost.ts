import { clipCommand } from '../encoding/concat/concat-video.ts';
import { encodingsByCodec, isLadderEncoding } from '../encoding/encoding.ts';
import type { ClipEncoding, MediaFile, PendingPlan, Plan, PlanTask } from '../encoding/plan.ts';
import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import type { ComparedVideo, VmafComparison } from '../media/ffmpeg/vmaf-comparison.ts';
import { type CostTable, costTable, lineOf } from './cost-table.ts';
import { numberOf, outputStreamCost, outputsOf, secondsLimit } from './encode-cost.ts';
import {
  type Flow,
  graphCost,
  megapixelsOf,
  type SourceFlows,
  type SourceStream,
  sourceFlows,
  type VideoFlow,
} from './filter-cost.ts';

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

/** Files whose streams are known, by path: the inputs of a plan, and what its commands write. */
export type KnownFiles = ReadonlyMap<string, SourceFlows>;

/** The cost of one run of ffmpeg. `written` has the files of its outputs, `encoders` ffmpeg's names of its video encoders. */
export type CommandCost = {
  cpuSeconds: number;
  /** Of these, what one thread does: all of a run without a video to decode. */
  serialSeconds: number;
  outputBytes: number;
  /** Of these, what is copied, whose size is known. */
  copiedBytes: number;
  written: KnownFiles;
  /** ffmpeg's names of the video encoders. */
  encoders: ReadonlySet<string>;
};

/** A seek decodes from the keyframe before the position: half of a usual distance of keyframes on average. */
const seekSeconds = 2.5;

/** With `-skip_frame nokey` only keyframes are decoded: one of a usual distance of them, at the cost of a whole frame. */
const keyframeShare = 0.03;

/** Processor seconds of one run of ffmpeg. A file that is not known costs nothing. */
export function commandCost(command: Command, known: KnownFiles, table: CostTable = costTable): CommandCost {
  const inputs = command.inputs.map((input) => readInput(input, known));
  const { graph, outputs } = outputsOf(command);
  const used = new Map<SourceStream, number>();
  const use = (stream: SourceStream | undefined, seconds = Number.POSITIVE_INFINITY) => {
    if (stream === undefined) return undefined;
    const limited = Math.min(seconds, stream.flow.seconds);
    used.set(stream, Math.max(used.get(stream) ?? 0, limited));
    return { ...stream.flow, seconds: limited };
  };
  const find = (pad: string) => findStream(pad, inputs);
  const limit = Math.max(0, ...outputs.map((output) => secondsLimit(output)));
  const resolve = (pad: string) => use(find(pad)?.stream, limit);
  const filtered = graphCost(graph, resolve, table);
  let cpuSeconds = table.perCommand + filtered.cpuSeconds;
  let outputBytes = 0;
  let copiedBytes = 0;
  const written = new Map<string, SourceFlows>();
  const encoders = new Set<string>();
  const frames = firstVideoOf(inputs);
  for (const output of outputs) {
    const flows = new Map<number, SourceStream>();
    const positions = { video: 0, audio: 0 };
    for (const map of output.maps.length > 0 ? output.maps : defaultMaps(inputs, filtered.flows)) {
      const label = /^\[(.*)\]$/.exec(map)?.[1];
      const source = label === undefined ? find(map)?.stream : undefined;
      const flow = label === undefined ? source?.flow : filtered.flows.get(label);
      if (flow === undefined) continue;
      const position = positions[flow.kind]++;
      const stream = outputStreamCost({ flow, source, output, position, frames }, table);
      if (stream.decodedSeconds !== undefined) use(source, stream.decodedSeconds);
      if (stream.encoder in table.encode) encoders.add(stream.encoder);
      cpuSeconds += stream.cpuSeconds;
      outputBytes += stream.encodedBytes;
      copiedBytes += stream.copiedBytes;
      if (stream.written) flows.set(flows.size, stream.written);
    }
    written.set(output.path, flows);
  }
  for (const [stream, seconds] of used) cpuSeconds += decodeCost(stream, seconds, inputs, table);
  const [encoder = ''] = encoders;
  cpuSeconds *= table.slowness?.[encoder] ?? table.slowness?.other ?? 1;
  const isSerial = [...used.keys()].every(({ flow }) => flow.kind === 'audio');
  const serialSeconds = isSerial ? cpuSeconds : 0;
  outputBytes += copiedBytes;
  return { cpuSeconds, serialSeconds, outputBytes, copiedBytes, written, encoders };
}

type ReadInput = { streams: SourceFlows; startSeconds: number; keyframesOnly: boolean };

function readInput({ path, options = [] }: CommandInput, known: KnownFiles): ReadInput {
  const optionValue = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
  const start = numberOf(optionValue('-ss')) ?? 0;
  const length = numberOf(optionValue('-t')) ?? Number.POSITIVE_INFINITY;
  const streams = new Map<number, SourceStream>();
  for (const [index, stream] of known.get(path) ?? []) {
    const seconds = Math.max(0, Math.min(length, stream.flow.seconds - start));
    streams.set(index, { ...stream, flow: { ...stream.flow, seconds } });
  }
  return { streams, startSeconds: start, keyframesOnly: optionValue('-skip_frame') === 'nokey' };
}

/** The stream of a pad or map such as `0:1`, `0:a:0`, `1` or `0:v`. */
function findStream(pad: string, inputs: readonly ReadInput[]): { stream: SourceStream; input: ReadInput } | undefined {
  const [file = '', ...specifier] = pad.replace(/\?$/, '').split(':');
  const input = inputs[Number(file)];
  if (input === undefined) return undefined;
  const [kind = '', position] = specifier;
  if (/^\d+$/.test(kind)) {
    const stream = input.streams.get(Number(kind));
    return stream && { stream, input };
  }
  const streams = [...input.streams.values()].filter(
    ({ flow }) => kind === '' || flow.kind === (kind === 'a' ? 'audio' : 'video'),
  );
  const stream = streams[Number(position ?? 0)];
  return stream && { stream, input };
}

/** Without `-map`, an output has the labelled pad that is left, or every stream of the first input. */
function defaultMaps(inputs: readonly ReadInput[], labelled: ReadonlyMap<string, Flow>): string[] {
  if (labelled.size > 0) return [...labelled.keys()].slice(-1).map((label) => `[${label}]`);
  return [...(inputs[0]?.streams.keys() ?? [])].map((index) => `0:${index}`);
}

function firstVideoOf(inputs: readonly ReadInput[]): VideoFlow | undefined {
  const flows = inputs.flatMap((input) => [...input.streams.values()].map(({ flow }) => flow));
  return flows.find((flow) => flow.kind === 'video');
}

function decodeCost(stream: SourceStream, seconds: number, inputs: readonly ReadInput[], table: CostTable): number {
  const { flow, codec, megabitsPerSecond } = stream;
  if (flow.kind === 'audio') return lineOf(table.audioPerSecond, 'decode') * seconds;
  const input = inputs.find(({ streams }) => [...streams.values()].includes(stream));
  const decoded = Math.min(flow.seconds, seconds) + Math.min(seekSeconds, input?.startSeconds ?? 0);
  const { perMegapixel, perMegabit } = lineOf(table.decode, codec);
  const depth = flow.isTenBit ? table.tenBitDecode : 1;
  const cpuSeconds =
    depth * perMegapixel * megapixelsOf({ ...flow, seconds: decoded }) + perMegabit * megabitsPerSecond * decoded;
  return input?.keyframesOnly ? keyframeShare * cpuSeconds : cpuSeconds;
}
