import type { Argument, Command } from '../media/ffmpeg/command.ts';
import type { Filter, FilterGraph } from '../media/filters/filter.ts';
import { type CostTable, type EncodeCost, lineOf } from './cost-table.ts';
import {
  chainCost,
  type Flow,
  frameMegapixelsOf,
  megapixelsOf,
  type SourceStream,
  type VideoFlow,
} from './filter-cost.ts';

type Encoded = { cpuSeconds: number; megabits: number };

/** The density at which the rates of the table hold. */
const referenceDensity = 0.1;

/** A smaller frame has more detail in each pixel than the larger one that it was scaled from. */
const detailExponent = 0.25;

const bitsPerPixelRange = { min: 0.002, max: 3 } as const;

/** Frames per second between which the frame rate counts: 25 and 50 are measured, and lower rates are not. */
const frameRateRange = { min: 25, max: 120 } as const;

/** Bits of each pixel of still images and intermediate codecs, for the size of the file. */
const assumedBitsPerPixel = 1.5;

/**
 * Encodes the frames of `flow`. `source` is the video that they were scaled from.
 *
 * @param position of the stream among the videos of the output
 */
function encodeCost(
  { flow, source, encoder }: { flow: VideoFlow; source: VideoFlow; encoder: string },
  { options, position }: { options: CommandOutput['options']; position: number },
  table: CostTable,
): Encoded {
  const megapixels = megapixelsOf(flow);
  const line = table.encode[encoder];
  if (line === undefined) {
    const perMegapixel = lineOf(table.encodePerMegapixel, encoder);
    return { cpuSeconds: perMegapixel * megapixels, megabits: assumedBitsPerPixel * megapixels };
  }
  const option = (name: string) => optionOf(options, name, { kind: 'v', position });
  const bitsPerPixel = predictedBitsPerPixel(line, option, { flow, source });
  const effort = line.efforts[option('cpu-used') ?? option('preset') ?? ''] ?? 1;
  const isFirst = option('pass') === '1' || (option('x265-params') ?? '').includes('pass=1');
  const pass = isFirst && encoder !== 'libvpx-vp9' ? firstPass : 1;
  const convertsDepth = flow.isTenBit !== (option('pix_fmt') ?? '').includes('10');
  const conversion = convertsDepth ? lineOf(table.filterPerMegapixel, 'scale') : 0;
  const frames = {
    megapixels,
    frameMegapixels: frameMegapixelsOf(flow),
    framesPerSecond: flow.framesPerSecond,
    bitsPerPixel,
    crfSteps: (numberOf(option('crf')) ?? line.rate.crf) - line.rate.crf,
  };
  const cpuSeconds = encodeSeconds(line, frames, effort * pass) + conversion * megapixels;
  return { cpuSeconds, megabits: bitsPerPixel * megapixels };
}

/**
 * Processor seconds of an encode, by the line of its encoder.
 * @param frames `megapixels` of all of them, and of one; `crfSteps` above that of the line
 * @param effort relative to the default
 */
export function encodeSeconds(
  { start, perMegapixel, perMegabit, crfToHalveTime, frameRateExponent }: Omit<EncodeCost, 'efforts' | 'rate'>,
  frames: Record<'megapixels' | 'frameMegapixels' | 'framesPerSecond' | 'bitsPerPixel', number> & { crfSteps?: number },
  effort = 1,
): number {
  const oneFrame = start.perFrameMegapixel * frames.frameMegapixels;
  const atFrameRate = relativeFrameRate(frames) ** frameRateExponent;
  const { crfSteps = 0 } = frames;
  const atCrf = crfToHalveTime === undefined ? 1 : 2 ** (-crfSteps / crfToHalveTime);
  const pixels = (perMegapixel + perMegabit * frames.bitsPerPixel) * frames.megapixels;
  return start.seconds + effort * (oneFrame + atFrameRate * atCrf * pixels);
}

/** The frame rate relative to the lowest at which it counts. */
export function relativeFrameRate({ framesPerSecond }: { framesPerSecond: number }): number {
  const { min, max } = frameRateRange;
  return Math.min(max, Math.max(min, framesPerSecond)) / min;
}

/** The first of two passes takes fast settings by itself; only libvpx does all of its work twice. */
const firstPass = 0.5;

function predictedBitsPerPixel(
  { rate }: EncodeCost,
  option: (name: string) => string | undefined,
  { flow, source }: { flow: VideoFlow; source: VideoFlow },
): number {
  const pixelsPerSecond = flow.width * flow.height * flow.framesPerSecond;
  const limit = (bits: number | undefined) =>
    bits === undefined || bits === 0 ? Number.POSITIVE_INFINITY : bits / pixelsPerSecond;
  const maximum = limit(numberOf(option('maxrate')));
  const crf = numberOf(option('crf'));
  if (crf === undefined) return clamp(Math.min(maximum, limit(numberOf(option('b')))));
  const shrink = (source.width * source.height) / (flow.width * flow.height);
  const density = source.density * shrink ** detailExponent;
  const follows = (density / referenceDensity) ** rate.sourceExponent;
  const detail = frameMegapixelsOf(flow) ** rate.sizeExponent;
  const quality = 2 ** ((rate.crf - crf) / rate.crfToHalve);
  return clamp(Math.min(maximum, rate.bitsPerPixel * follows * detail * quality));
}

function clamp(bitsPerPixel: number): number {
  return Math.min(bitsPerPixelRange.max, Math.max(bitsPerPixelRange.min, bitsPerPixel));
}

type StreamOfOutput = {
  /** What is mapped: a stream of an input, or a pad of the filter graph. */
  flow: Flow;
  /** Set for a stream of an input. */
  source: SourceStream | undefined;
  output: CommandOutput;
  /** The number of the stream among those of its kind in the output, from 0. */
  position: number;
  /** The first video of the inputs: what the frames of an encode were made of. */
  frames: VideoFlow | undefined;
};

type OutputStreamCost = {
  /** ffmpeg's name of it, or `copy`. */
  encoder: string;
  cpuSeconds: number;
  encodedBytes: number;
  copiedBytes: number;
  /** How much of the source is decoded for it. Left out for a copy. */
  decodedSeconds?: number;
  written: SourceStream | undefined;
};

/** Processor seconds and bytes of one stream of an output: its filters, and its encoding or copying. */
export function outputStreamCost(stream: StreamOfOutput, table: CostTable): OutputStreamCost {
  const { flow: before, source, output, position } = stream;
  const inOutput = { kind: before.kind === 'video' ? 'v' : 'a', position } as const;
  const encoder = encoderOf(output, inOutput);
  const seconds = Math.min(secondsLimit(output), before.seconds);
  if (encoder === 'copy') {
    const megabits = (source?.megabitsPerSecond ?? 0) * seconds;
    return {
      encoder,
      cpuSeconds: (megabits / 8000) * table.perCopiedGigabyte,
      encodedBytes: 0,
      copiedBytes: output.options.get('f') === 'null' ? 0 : (megabits * 1e6) / 8,
      written: source,
    };
  }
  const chain = chainCost(filtersOf(output, inOutput), [{ ...before, seconds }], table);
  const flow = limitFrames(chain?.flow ?? before, output);
  const share = chain === undefined || chain.flow.seconds === 0 ? 1 : Math.min(1, flow.seconds / chain.flow.seconds);
  const frames = stream.frames ?? (before.kind === 'video' ? before : undefined);
  const encoded = streamCost(flow, { output, position, encoder, frames }, table);
  const megabitsPerSecond = flow.seconds === 0 ? 0 : encoded.megabits / flow.seconds;
  return {
    encoder,
    cpuSeconds: (chain?.cpuSeconds ?? 0) * share + encoded.cpuSeconds,
    encodedBytes: (encoded.megabits * 1e6) / 8,
    copiedBytes: 0,
    decodedSeconds: share * seconds,
    written: { flow, codec: codecs[encoder] ?? encoder, megabitsPerSecond },
  };
}

/** The encoder of a stream. Without an option it is that of the container, where one is used; `null` for no file. */
function encoderOf({ options }: CommandOutput, stream: StreamPosition): string {
  const named = optionOf(options, 'c', stream);
  if (named !== undefined) return named;
  const format = String(options.get('f') ?? 'null');
  return stream.kind === 'v' && format === 'image2' ? 'png' : format;
}

/** The seconds after which `-t` ends an output. */
export function secondsLimit({ options }: CommandOutput): number {
  return numberOf(options.get('t')) ?? Number.POSITIVE_INFINITY;
}

/** `-frames:v` ends an output early. */
function limitFrames(flow: Flow, { options }: CommandOutput): Flow {
  const frames = numberOf(options.get('frames:v'));
  if (frames === undefined || flow.kind === 'audio') return flow;
  return { ...flow, seconds: Math.min(flow.seconds, frames / flow.framesPerSecond) };
}

function streamCost(
  flow: Flow,
  { frames, encoder, output, position }: Omit<StreamOfOutput, 'flow' | 'source'> & { encoder: string },
  table: CostTable,
): { cpuSeconds: number; megabits: number } {
  if (encoder === 'null') return { cpuSeconds: 0, megabits: 0 };
  const { options } = output;
  if (flow.kind === 'audio') {
    const kbps = (numberOf(optionOf(options, 'b', { kind: 'a', position })) ?? 1_000_000) / 1000;
    const cpuSeconds = lineOf(table.audioPerSecond, `encode ${encoder}`) * flow.seconds;
    return { cpuSeconds, megabits: (kbps * flow.seconds) / 1000 };
  }
  return encodeCost({ flow, source: frames ?? flow, encoder }, { options, position }, table);
}

/** ffprobe's names of what encoders write, where they differ. */
const codecs: Record<string, string> = { libx264: 'h264', libx265: 'hevc', 'libvpx-vp9': 'vp9', libsvtav1: 'av1' };

/** One output file of a command: its options by name, without the dash. */
type CommandOutput = {
  path: string;
  /** Values of `-map`, such as `0:1` or `[out]`. */
  maps: readonly string[];
  options: ReadonlyMap<string, Argument>;
};

const flags = new Set(['-an', '-vn', '-sn', '-dn', '-shortest', '-copyts', '-start_at_zero']);

/** The filter graph and the outputs of a command. An output ends with its path; the graph may come before any. */
export function outputsOf({ outputArguments }: Pick<Command, 'outputArguments'>): {
  graph: FilterGraph;
  outputs: readonly CommandOutput[];
} {
  const graph: FilterGraph[] = [];
  const outputs: CommandOutput[] = [];
  let maps: string[] = [];
  let options = new Map<string, Argument>();
  for (let index = 0; index < outputArguments.length; index += 1) {
    const token = String(outputArguments[index]);
    if (!token.startsWith('-') || token === '-') {
      outputs.push({ path: token, maps, options });
      [maps, options] = [[], new Map()];
    } else if (!flags.has(token)) {
      const value = outputArguments[++index] ?? '';
      if (token === '-map') maps.push(String(value));
      else if (token === '-filter_complex' && typeof value !== 'string') graph.push(value);
      else options.set(token.slice(1), value);
    }
  }
  return { graph: graph.flat(), outputs };
}

type StreamPosition = { kind: 'v' | 'a'; position: number };

/** The value of an option of one stream, such as `-crf:v:0`, else that of the kind, else that of the output. */
function optionOf(
  options: CommandOutput['options'],
  name: string,
  { kind, position }: StreamPosition,
): string | undefined {
  const value = options.get(`${name}:${kind}:${position}`) ?? options.get(`${name}:${kind}`) ?? options.get(name);
  return typeof value === 'string' ? value : undefined;
}

function filtersOf({ options }: CommandOutput, { kind, position }: StreamPosition): readonly Filter[] {
  const graph = options.get(`${kind}f`) ?? options.get(`filter:${kind}:${position}`) ?? [];
  return typeof graph === 'string' ? [] : graph.flatMap(({ filters }) => filters);
}

/** A number of seconds or of bits with ffmpeg's suffix k, such as `128k`; undefined for anything else. */
export function numberOf(text: Argument | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const value = Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1);
  return Number.isFinite(value) ? value : undefined;
}
