import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { type CostTable, costTable, lineOf } from './cost-table.ts';
import { encodeCost } from './encode-cost.ts';
import { chainCost, graphCost } from './filter-cost.ts';
import { parseGraph } from './filter-text.ts';
import type { Flow, SourceFlows, SourceStream, VideoFlow } from './flow.ts';
import { megapixelsOf } from './flow.ts';
import { type CommandOutput, numberOf, optionOf, parseCommand } from './parse-command.ts';

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
  const { graph, outputs } = parseCommand(command);
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
  const filtered = graph === undefined ? undefined : graphCost(parseGraph(graph), resolve, table);
  let cpuSeconds = table.perCommand + (filtered?.cpuSeconds ?? 0);
  let outputBytes = 0;
  let copiedBytes = 0;
  const written = new Map<string, SourceFlows>();
  const encoders = new Set<string>();
  for (const output of outputs) {
    const flows = new Map<number, SourceStream>();
    const positions = { v: 0, a: 0 };
    for (const map of output.maps.length > 0 ? output.maps : defaultMaps(inputs, filtered?.flows)) {
      const label = /^\[(.*)\]$/.exec(map)?.[1];
      const found = label === undefined ? find(map) : undefined;
      const before = label === undefined ? found?.stream.flow : filtered?.flows.get(label);
      if (before === undefined) continue;
      const kind = before.kind === 'video' ? 'v' : 'a';
      const position = positions[kind]++;
      const encoder = encoderOf(output, { kind, position });
      if (encoder in table.encode) encoders.add(encoder);
      const seconds = Math.min(secondsLimit(output), before.seconds);
      if (encoder === 'copy') {
        const megabits = (found?.stream.megabitsPerSecond ?? 0) * seconds;
        if (output.options.get('f') !== 'null') copiedBytes += (megabits * 1e6) / 8;
        cpuSeconds += (megabits / 8000) * table.perCopiedGigabyte;
        if (found) flows.set(flows.size, found.stream);
        continue;
      }
      const chain = chainCost(filtersOf(output, { kind, position }), [{ ...before, seconds }], table);
      const flow = limitFrames(chain?.flow ?? before, output);
      const share =
        chain === undefined || chain.flow.seconds === 0 ? 1 : Math.min(1, flow.seconds / chain.flow.seconds);
      if (found) use(found.stream, share * seconds);
      cpuSeconds += (chain?.cpuSeconds ?? 0) * share;
      const encoded = streamCost(
        flow,
        { source: sourceOf(inputs, before), encoder, output, position },
        table,
      );
      cpuSeconds += encoded.cpuSeconds;
      outputBytes += (encoded.megabits * 1e6) / 8;
      const megabitsPerSecond = flow.seconds === 0 ? 0 : encoded.megabits / flow.seconds;
      flows.set(flows.size, { flow, codec: codecOf(encoder), megabitsPerSecond });
    }
    written.set(output.path, flows);
  }
  for (const [stream, seconds] of used) cpuSeconds += decodeCost(stream, seconds, inputs, table);
  const [encoder = ''] = encoders;
  cpuSeconds *= table.slowness?.[encoder] ?? 1;
  const isSerial = [...used.keys()].every(({ flow }) => flow.kind === 'audio');
  const serialSeconds = isSerial ? cpuSeconds : 0;
  outputBytes += copiedBytes;
  return { cpuSeconds, serialSeconds, outputBytes, copiedBytes, written, encoders };
}

type ReadInput = { streams: SourceFlows; startSeconds: number; keyframesOnly: boolean };

/** The streams of an input within its `-ss` and `-t`. */
function readInput({ path, options = [] }: CommandInput, known: KnownFiles): ReadInput {
  const optionValue = (name: string) =>
    options.includes(name) ? options[options.indexOf(name) + 1] : undefined;
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
function findStream(
  pad: string,
  inputs: readonly ReadInput[],
): { stream: SourceStream; input: ReadInput } | undefined {
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
function defaultMaps(
  inputs: readonly ReadInput[],
  labelled: ReadonlyMap<string, Flow> | undefined,
): string[] {
  if (labelled !== undefined) return [...labelled.keys()].slice(-1).map((label) => `[${label}]`);
  return [...(inputs[0]?.streams.keys() ?? [])].map((index) => `0:${index}`);
}

/** The encoder of a stream. Without an option it is that of the container, where one is used; `null` for no file. */
function encoderOf({ options }: CommandOutput, stream: { kind: 'v' | 'a'; position: number }): string {
  const named = optionOf(options, 'c', stream);
  if (named !== undefined) return named;
  const format = options.get('f') ?? 'null';
  return stream.kind === 'v' && format === 'image2' ? 'png' : format;
}

function filtersOf({ options }: CommandOutput, stream: { kind: 'v' | 'a'; position: number }) {
  const text = options.get(stream.kind === 'v' ? 'vf' : 'af') ?? optionOf(options, 'filter', stream);
  return text === undefined ? [] : parseGraph(text).flatMap(({ filters }) => filters);
}

function secondsLimit({ options }: CommandOutput): number {
  return numberOf(options.get('t')) ?? Number.POSITIVE_INFINITY;
}

/** `-frames:v` ends an output early. */
function limitFrames(flow: Flow, { options }: CommandOutput): Flow {
  const frames = numberOf(options.get('frames:v'));
  if (frames === undefined || flow.kind === 'audio') return flow;
  return { ...flow, seconds: Math.min(flow.seconds, frames / flow.framesPerSecond) };
}

/** The first video of the inputs: what the frames of an encode were made of. */
function sourceOf(inputs: readonly ReadInput[], fallback: Flow): Flow {
  const streams = inputs.flatMap((input) => [...input.streams.values()]);
  return streams.find(({ flow }) => flow.kind === 'video')?.flow ?? fallback;
}

function streamCost(
  flow: Flow,
  {
    source,
    encoder,
    output,
    position,
  }: { source: Flow; encoder: string; output: CommandOutput; position: number },
  table: CostTable,
): { cpuSeconds: number; megabits: number } {
  if (encoder === 'null') return { cpuSeconds: 0, megabits: 0 };
  const { options } = output;
  if (flow.kind === 'audio') {
    const kbps = (numberOf(optionOf(options, 'b', { kind: 'a', position })) ?? 1_000_000) / 1000;
    const cpuSeconds = lineOf(table.audioPerSecond, `encode ${encoder}`) * flow.seconds;
    return { cpuSeconds, megabits: (kbps * flow.seconds) / 1000 };
  }
  const video: VideoFlow = source.kind === 'video' ? source : flow;
  return encodeCost({ flow, source: video, encoder }, { options, position }, table);
}

function decodeCost(
  stream: SourceStream,
  seconds: number,
  inputs: readonly ReadInput[],
  table: CostTable,
): number {
  const { flow, codec, megabitsPerSecond } = stream;
  if (flow.kind === 'audio') return lineOf(table.audioPerSecond, 'decode') * seconds;
  const input = inputs.find(({ streams }) => [...streams.values()].includes(stream));
  const decoded = Math.min(flow.seconds, seconds) + Math.min(seekSeconds, input?.startSeconds ?? 0);
  const { perMegapixel, perMegabit } = lineOf(table.decode, codec);
  const depth = flow.isTenBit ? table.tenBitDecode : 1;
  const cpuSeconds =
    depth * perMegapixel * megapixelsOf({ ...flow, seconds: decoded }) +
    perMegabit * megabitsPerSecond * decoded;
  return input?.keyframesOnly ? keyframeShare * cpuSeconds : cpuSeconds;
}

/** ffprobe's name of what an encoder writes. */
function codecOf(encoder: string): string {
  const names: Record<string, string> = {
    libx264: 'h264',
    libx265: 'hevc',
    'libvpx-vp9': 'vp9',
    libsvtav1: 'av1',
  };
  return names[encoder] ?? encoder;
}
