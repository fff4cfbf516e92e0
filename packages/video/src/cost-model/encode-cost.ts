import { type CommandOutput, numberOf, optionOf } from './command-outputs.ts';
import type { CostTable, EncodeCost } from './cost-table.ts';
import { lineOf } from './cost-table.ts';
import { frameMegapixelsOf, megapixelsOf, type VideoFlow } from './filter-cost.ts';

/** Processor seconds of an encode, and the megabits that it writes. */
export type Encoded = { cpuSeconds: number; megabits: number };

/** The density at which the rates of the table hold. */
const referenceDensity = 0.1;

/** A smaller frame has more detail in each pixel than the larger one that it was scaled from. */
const detailExponent = 0.25;

/** Bits per pixel between which encoders were measured. */
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
export function encodeCost(
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
  const pass = firstPassShare(option, encoder);
  const convertsDepth = flow.isTenBit !== (option('pix_fmt') ?? '').includes('10');
  const conversion = convertsDepth ? lineOf(table.filterPerMegapixel, 'scale') : 0;
  const frames = {
    megapixels,
    frameMegapixels: frameMegapixelsOf(flow),
    framesPerSecond: flow.framesPerSecond,
    bitsPerPixel,
  };
  const cpuSeconds = encodeSeconds(line, frames, effort * pass) + conversion * megapixels;
  return { cpuSeconds, megabits: bitsPerPixel * megapixels };
}

/**
 * Processor seconds of an encode, by the line of its encoder.
 * @param frames `megapixels` of all of them, and of one
 * @param effort relative to the default
 */
export function encodeSeconds(
  { start, perMegapixel, perMegabit, frameRateExponent }: Omit<EncodeCost, 'efforts' | 'rate'>,
  frames: { megapixels: number; frameMegapixels: number; framesPerSecond: number; bitsPerPixel: number },
  effort = 1,
): number {
  const oneFrame = start.perFrameMegapixel * frames.frameMegapixels;
  const atFrameRate = relativeFrameRate(frames) ** frameRateExponent;
  const pixels = (perMegapixel + perMegabit * frames.bitsPerPixel) * frames.megapixels;
  return start.seconds + effort * (oneFrame + atFrameRate * pixels);
}

/** The frame rate relative to the lowest at which it counts. */
export function relativeFrameRate({ framesPerSecond }: { framesPerSecond: number }): number {
  const { min, max } = frameRateRange;
  return Math.min(max, Math.max(min, framesPerSecond)) / min;
}

/** The first of two passes takes fast settings by itself; only libvpx does all of its work twice. */
const firstPass = 0.5;

function firstPassShare(option: (name: string) => string | undefined, encoder: string): number {
  const isFirst = option('pass') === '1' || (option('x265-params') ?? '').includes('pass=1');
  return isFirst && encoder !== 'libvpx-vp9' ? firstPass : 1;
}

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
