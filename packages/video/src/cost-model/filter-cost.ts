import { type CostTable, lineOf } from './cost-table.ts';
import type { Chain, Filter } from './filter-text.ts';
import { type AudioFlow, type Flow, megapixelsOf, type VideoFlow } from './flow.ts';

/** A flow behind some filters, and the processor seconds of these filters. */
export type Filtered<Passed extends Flow = Flow> = { flow: Passed; cpuSeconds: number };

/** The flow behind each labelled pad of a graph, and the processor seconds of all filters. */
export type GraphCost = { flows: ReadonlyMap<string, Flow>; cpuSeconds: number };

/** The flow of an input pad of a graph, such as `0:1` or `1`; undefined for an unknown pad. */
export type ResolvePad = (pad: string) => Flow | undefined;

/** Processor seconds of a filter graph. Each chain reads pads that an earlier one wrote, or streams of the inputs. */
export function graphCost(chains: readonly Chain[], resolve: ResolvePad, table: CostTable): GraphCost {
  const flows = new Map<string, Flow>();
  let cpuSeconds = 0;
  for (const chain of chains) {
    const pads = chain.inputs
      .map((pad) => flows.get(pad) ?? resolve(pad))
      .filter((flow) => flow !== undefined);
    const filtered = chainCost(chain.filters, pads, table);
    if (filtered === undefined) continue;
    cpuSeconds += filtered.cpuSeconds;
    for (const pad of chain.outputs) flows.set(pad, filtered.flow);
  }
  return { flows, cpuSeconds };
}

/** Processor seconds of filters one after the other. The first reads all `pads`; undefined if there are none to read. */
export function chainCost(
  filters: readonly Filter[],
  pads: readonly Flow[],
  table: CostTable,
): Filtered | undefined {
  const [first] = pads;
  const start = first === undefined ? generated(filters[0]) : merged(filters[0], pads, first);
  if (start === undefined) return undefined;
  if (start.kind === 'audio') return audioChain(filters, start, table);
  // The conversions around it are measured together with the tone mapping.
  const mapsTones = filters.some(({ name }) => name === 'tonemap');
  const measuredTogether = mapsTones ? ['zscale', 'format'] : [];
  let passed: Filtered<VideoFlow> = { flow: start, cpuSeconds: 0 };
  for (const filter of filters) {
    if (measuredTogether.includes(filter.name)) continue;
    const { flow, cpuSeconds } = videoFilter(filter, passed.flow, table);
    passed = { flow, cpuSeconds: passed.cpuSeconds + cpuSeconds };
  }
  return passed;
}

function audioChain(filters: readonly Filter[], flow: AudioFlow, { audioPerSecond }: CostTable): Filtered {
  const cpuSeconds = filters.reduce((sum, { name, values }) => {
    const key = name === 'aresample' && Number(values[0]) > 96_000 ? 'oversample' : name;
    return sum + (audioPerSecond[key] ?? 0) * flow.seconds;
  }, 0);
  return { flow, cpuSeconds };
}

/** The flow of a source filter such as `color=size=64x36:rate=2:duration=10`. */
function generated(filter: Filter | undefined): Flow | undefined {
  const [width = Number.NaN, height = Number.NaN] = (filter?.named.get('size') ?? '').split('x').map(Number);
  const framesPerSecond = Number(filter?.named.get('rate'));
  const seconds = Number(filter?.named.get('duration'));
  if (![width, height, framesPerSecond, seconds].every(Number.isFinite)) return undefined;
  return { kind: 'video', width, height, framesPerSecond, seconds, isTenBit: false, density: 0.02 };
}

/** `concat` plays its pads one after the other; any other filter of several pads follows the first. */
function merged(filter: Filter | undefined, pads: readonly Flow[], first: Flow): Flow {
  if (filter?.name !== 'concat') return first;
  const seconds = pads.filter(({ kind }) => kind === first.kind).reduce((sum, pad) => sum + pad.seconds, 0);
  return { ...first, seconds };
}

/** Filters that only change timestamps or tags, or read one value. */
// biome-ignore format: a table
const freeFilters = new Set([
  'setparams', 'setsar', 'setpts', 'settb', 'trim', 'tpad', 'split', 'sidedata', 'null', 'select', 'fps',
  'crop', 'concat', 'setfield', 'color', 'loop', 'showinfo',
]);

function videoFilter(
  filter: Filter,
  before: VideoFlow,
  { filterPerMegapixel, perPalette }: CostTable,
): Filtered<VideoFlow> {
  const flow = changed(filter, before);
  const { name } = filter;
  if (freeFilters.has(name)) return { flow, cpuSeconds: 0 };
  if (name === 'palettegen')
    return { flow, cpuSeconds: perPalette + megapixelsOf(before) * lineOf(filterPerMegapixel, name) };
  if (name === 'scale') {
    // ffmpeg passes frames of the same size on.
    const converts = filter.named.has('out_color_matrix') || flow.isTenBit !== before.isTenBit;
    if (flow.width === before.width && flow.height === before.height && !converts)
      return { flow, cpuSeconds: 0 };
    const read = megapixelsOf(before) * lineOf(filterPerMegapixel, 'scaleIn');
    return { flow, cpuSeconds: read + megapixelsOf(flow) * lineOf(filterPerMegapixel, 'scale') };
  }
  return { flow, cpuSeconds: megapixelsOf(flow) * lineOf(filterPerMegapixel, name) };
}

/** The frames behind a filter. */
function changed({ name, values, named }: Filter, before: VideoFlow): VideoFlow {
  switch (name) {
    case 'scale':
    case 'crop':
    case 'pad':
      return { ...before, ...sizeOf(values, before) };
    case 'transpose':
      return { ...before, width: before.height, height: before.width };
    case 'fps':
      return { ...before, framesPerSecond: ratio(values[0]) ?? before.framesPerSecond };
    case 'bwdif':
      return named.get('mode') === 'send_field'
        ? { ...before, framesPerSecond: 2 * before.framesPerSecond }
        : before;
    case 'setpts': {
      const [, tempo] = /^PTS\/([\d.]+)$/.exec(values[0] ?? '') ?? [];
      if (tempo === undefined) return before;
      return {
        ...before,
        framesPerSecond: before.framesPerSecond * Number(tempo),
        seconds: before.seconds / Number(tempo),
      };
    }
    case 'trim':
      return { ...before, seconds: Math.min(before.seconds, trimmedSeconds(named, before)) };
    case 'tile': {
      const [columns = 1, rows = 1] = (values[0] ?? '').split('x').map(Number);
      const { width, height, framesPerSecond } = before;
      const tiles = columns * rows;
      return {
        ...before,
        width: width * columns,
        height: height * rows,
        framesPerSecond: framesPerSecond / tiles,
      };
    }
    case 'thumbnail':
      return { ...before, framesPerSecond: before.framesPerSecond / (Number(named.get('n')) || 1) };
    case 'palettegen':
      // One frame, once all others were read.
      return { ...before, width: 16, height: 16, framesPerSecond: 1 / before.seconds };
    case 'format':
      return { ...before, isTenBit: /(1[02]|f32)le$/.test(values[0] ?? '') };
    default:
      return before;
  }
}

/** A width and a height as numbers; the size before for expressions such as `iw:ih`. */
function sizeOf([width, height]: readonly string[], before: VideoFlow): { width: number; height: number } {
  const size = { width: Number(width), height: Number(height) };
  return size.width > 0 && size.height > 0 ? size : before;
}

function trimmedSeconds(named: Filter['named'], { framesPerSecond, seconds }: VideoFlow): number {
  const frames = Number(named.get('end_frame'));
  if (Number.isFinite(frames)) return frames / framesPerSecond;
  const duration = Number(named.get('duration'));
  if (Number.isFinite(duration)) return duration;
  const [start, end] = [Number(named.get('start') ?? 0), Number(named.get('end'))];
  return Number.isFinite(end) && Number.isFinite(start) ? end - start : seconds;
}

/** A rate such as `25` or `30000/1001`. */
function ratio(text: string | undefined): number | undefined {
  const [numerator = Number.NaN, denominator = 1] = (text ?? '').split('/').map(Number);
  return Number.isFinite(numerator / denominator) && numerator > 0 ? numerator / denominator : undefined;
}
