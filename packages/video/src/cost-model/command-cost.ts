import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { type CostTable, costTable, lineOf } from './cost-table.ts';
import { numberOf, outputStreamCost, outputsOf, secondsLimit } from './encode-cost.ts';
import {
  type Flow,
  graphCost,
  megapixelsOf,
  type SourceFlows,
  type SourceStream,
  type VideoFlow,
} from './filter-cost.ts';

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

/**
 * Processor seconds of one run of ffmpeg, from its arguments and the streams of the files that it reads: decoding,
 * filters, encoding, copying. A file that is not known costs nothing.
 */
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

/** The streams of an input within its `-ss` and `-t`. */
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

/** The first video of the inputs: what the frames of an encode were made of. */
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
