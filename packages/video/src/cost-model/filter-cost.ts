import type { Filter, FilterGraph } from '../media/filters/filter.ts';
import type { Size } from '../media/frame-size.ts';
import type { AudioStream, Probe, VideoStream } from '../media/probe/probe.ts';
import { type CostTable, lineOf } from './cost-table.ts';

export type Filtered<Passed extends Flow = Flow> = { flow: Passed; cpuSeconds: number };

/** The cost of a filter graph, and the flow of each label. `resolve` knows the pads of inputs, such as `0:1`. */
export function graphCost(
  graph: FilterGraph,
  resolve: (pad: string) => Flow | undefined,
  table: CostTable,
): { flows: ReadonlyMap<string, Flow>; cpuSeconds: number } {
  const flows = new Map<string, Flow>();
  let cpuSeconds = 0;
  for (const { from = [], filters, to = [] } of graph) {
    const pads = from.map((pad) => flows.get(pad) ?? resolve(pad)).filter((flow) => flow !== undefined);
    const filtered = chainCost(filters, pads, table);
    if (filtered === undefined) continue;
    cpuSeconds += filtered.cpuSeconds;
    for (const pad of to) flows.set(pad, filtered.flow);
  }
  return { flows, cpuSeconds };
}

/** Processor seconds of filters one after the other. The first reads all `pads`; undefined if there are none to read. */
export function chainCost(filters: readonly Filter[], pads: readonly Flow[], table: CostTable): Filtered | undefined {
  const [first] = pads;
  const start = first === undefined ? generated(filters[0]) : merged(filters[0], pads, first);
  if (start === undefined) return undefined;
  if (start.kind === 'audio') {
    const perSecond = filters.reduce((sum, { name }) => sum + (table.audioPerSecond[name] ?? 0), 0);
    return { flow: start, cpuSeconds: perSecond * start.seconds };
  }
  return filters.reduce<Filtered<VideoFlow>>(
    (passed, filter) => {
      const flow = framesBehind(filter, passed.flow);
      return { flow, cpuSeconds: passed.cpuSeconds + videoFilterSeconds(filter, passed.flow, flow, table) };
    },
    { flow: start, cpuSeconds: 0 },
  );
}

function generated(source: Filter | undefined): Flow | undefined {
  const { width, height, fps, seconds } = source?.out ?? {};
  if (width === undefined || height === undefined || fps === undefined || seconds === undefined) return undefined;
  return { kind: 'video', width, height, framesPerSecond: fps, seconds, isTenBit: false, density: 0.02 };
}

/** `concat` plays its pads one after the other; any other filter of several pads follows the first. */
function merged(filter: Filter | undefined, pads: readonly Flow[], first: Flow): Flow {
  if (filter?.name !== 'concat') return first;
  const seconds = pads.filter(({ kind }) => kind === first.kind).reduce((sum, pad) => sum + pad.seconds, 0);
  return { ...first, seconds };
}

function framesBehind({ out = {} }: Filter, before: VideoFlow): VideoFlow {
  const { width, height, isTenBit, tempo = 1, perFrame = 1 } = { ...before, ...out };
  const framesPerSecond = (out.fps ?? before.framesPerSecond) * tempo * perFrame;
  const { seconds = Number.POSITIVE_INFINITY, frames = Number.POSITIVE_INFINITY } = out;
  const limit = Math.min(seconds, frames / framesPerSecond);
  return { ...before, width, height, isTenBit, framesPerSecond, seconds: Math.min(before.seconds / tempo, limit) };
}

/** Filters that only change timestamps or tags, or read one value. */
// biome-ignore format: a table
const freeFilters = new Set([
  'setparams', 'setsar', 'setpts', 'settb', 'trim', 'tpad', 'split', 'sidedata', 'null', 'select', 'fps',
  'crop', 'concat', 'color', 'interleave',
]);

function videoFilterSeconds(
  { name, out = {} }: Filter,
  before: VideoFlow,
  flow: VideoFlow,
  { filterPerMegapixel, perPalette }: CostTable,
): number {
  if (freeFilters.has(name)) return 0;
  const read = (line: string) => megapixelsOf(before) * lineOf(filterPerMegapixel, line);
  const written = megapixelsOf(flow) * lineOf(filterPerMegapixel, name);
  if (name === 'palettegen') return perPalette + read(name);
  if (name !== 'scale') return written;
  // ffmpeg passes frames of the same size and colors on.
  const isPassed = flow.width === before.width && flow.height === before.height && out.matrix === undefined;
  return isPassed ? 0 : read('scaleIn') + written;
}

/** The frames of a video between two steps of a command. */
export type VideoFlow = Size & {
  kind: 'video';
  framesPerSecond: number;
  seconds: number;
  isTenBit: boolean;
  /** Bits per pixel of the source as H.264 would need them: how much there is to encode. */
  density: number;
};

type AudioFlow = { kind: 'audio'; seconds: number; channels: number };

export type Flow = VideoFlow | AudioFlow;

/** A stream of a file, and what its decoding takes. */
export type SourceStream = { flow: Flow; codec: string; megabitsPerSecond: number };

export type SourceFlows = ReadonlyMap<number, SourceStream>;

export function megapixelsOf(flow: Omit<VideoFlow, 'kind'>): number {
  return frameMegapixelsOf(flow) * flow.framesPerSecond * flow.seconds;
}

export function frameMegapixelsOf({ width, height }: Size): number {
  return (width * height) / 1e6;
}

/** How many bits H.264 needs for each bit of another codec at the same quality. */
// biome-ignore format: a table
const bitsAsH264: Record<string, number> = {
  hevc: 1.6, vp9: 1.5, av1: 2, mpeg2video: 0.5, mpeg4: 0.7, prores: 0.12, mjpeg: 0.12, dvvideo: 0.12,
  other: 1,
};

/** Unknown frame rate: assume a slow decode and encode. A video without a duration is one frame. */
const assumedFramesPerSecond = 60;

const assumedAudioKbps = 128;

/** Density of a source whose size gives none, such as a still image. */
const assumedDensity = 0.1;

const densityRange = { min: 0.004, max: 2 } as const;

/** The streams of a probed file. The bits of the file belong to its video, less a usual rate for each audio track. */
export function sourceFlows({ streams, sizeBytes, durationSeconds }: Probe): SourceFlows {
  const audio = streams.filter((stream) => stream.kind === 'audio');
  const audioMegabits = (audio.length * assumedAudioKbps) / 1000;
  const videos = streams.filter((stream) => stream.kind === 'video' && !stream.isAttachedPicture);
  const flows = new Map<number, SourceStream>();
  for (const stream of streams) {
    if (stream.kind === 'audio') flows.set(stream.index, audioStream(stream, durationSeconds));
    if (stream.kind !== 'video') continue;
    const seconds = stream.durationSeconds ?? durationSeconds;
    const perSecond = seconds === undefined || seconds === 0 ? 0 : (sizeBytes * 8) / 1e6 / seconds - audioMegabits;
    flows.set(stream.index, videoStream(stream, seconds, Math.max(0, perSecond) / Math.max(1, videos.length)));
  }
  return flows;
}

function audioStream(
  { codec, channels, durationSeconds, bitsPerSecond = assumedAudioKbps * 1000 }: AudioStream,
  fileSeconds: number | undefined,
): SourceStream {
  const seconds = durationSeconds ?? fileSeconds ?? 0;
  return { flow: { kind: 'audio', seconds, channels }, codec, megabitsPerSecond: bitsPerSecond / 1e6 };
}

function videoStream(
  { codec, width, height, framesPerSecond, bitDepth }: VideoStream,
  seconds: number | undefined,
  megabitsPerSecond: number,
): SourceStream {
  const rate = framesPerSecond ?? (seconds === undefined ? 1 : assumedFramesPerSecond);
  const bitsPerPixel = (megabitsPerSecond * 1e6) / (width * height * rate);
  const density = bitsPerPixel === 0 ? assumedDensity : bitsPerPixel * lineOf(bitsAsH264, codec);
  const flow: VideoFlow = {
    kind: 'video',
    width,
    height,
    framesPerSecond: rate,
    seconds: seconds ?? 1,
    isTenBit: bitDepth > 8,
    density: Math.min(densityRange.max, Math.max(densityRange.min, density)),
  };
  return { flow, codec, megabitsPerSecond };
}
