import type { Filter, FilterGraph } from '../media/filters/filter.ts';
import { type CostTable, lineOf } from './cost-table.ts';
import { type AudioFlow, type Flow, megapixelsOf, type VideoFlow } from './flow.ts';

/** The flow behind some filters, and the processor seconds of these filters. */
export type Filtered<Passed extends Flow = Flow> = { flow: Passed; cpuSeconds: number };

/** The flow behind each labelled pad of a graph, and the processor seconds of all filters. */
export type GraphCost = { flows: ReadonlyMap<string, Flow>; cpuSeconds: number };

/** The flow of an input pad of a graph, such as `0:1` or `1`; undefined for an unknown pad. */
export type ResolvePad = (pad: string) => Flow | undefined;

/** Processor seconds of a filter graph. Each chain reads pads that an earlier one wrote, or streams of the inputs. */
export function graphCost(graph: FilterGraph, resolve: ResolvePad, table: CostTable): GraphCost {
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
  if (start.kind === 'audio') return audioChain(filters, start, table);
  return filters.reduce<Filtered<VideoFlow>>(
    (passed, filter) => {
      const flow = framesBehind(filter, passed.flow);
      return { flow, cpuSeconds: passed.cpuSeconds + videoFilterSeconds(filter, passed.flow, flow, table) };
    },
    { flow: start, cpuSeconds: 0 },
  );
}

function audioChain(filters: readonly Filter[], flow: AudioFlow, { audioPerSecond }: CostTable): Filtered {
  const perSecond = filters.reduce((sum, { name }) => sum + (audioPerSecond[name] ?? 0), 0);
  return { flow, cpuSeconds: perSecond * flow.seconds };
}

/** The flow of a filter that reads nothing, such as `color`. */
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
  return {
    ...before,
    width,
    height,
    isTenBit,
    framesPerSecond,
    seconds: Math.min(before.seconds / tempo, limit),
  };
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
