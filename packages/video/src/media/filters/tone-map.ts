import type { HdrMetadata, VideoStream } from '../probe/probe.ts';
import { hasAlpha } from './alpha.ts';
import { assumedMatrix, isRgb, knownPrimaries } from './color-space.ts';
import { type Filter, filter, formatFilter, measuredTogether } from './filter.ts';

/** Curves of ffmpeg's tonemap filter. */
export const toneCurves = ['mobius', 'hable', 'reinhard'] as const;

export type ToneCurve = (typeof toneCurves)[number];

/** The luminance of SDR white in HDR video, from ITU-R BT.2408. */
const referenceWhiteNits = 203;

/** The nominal peak of HLG, and of PQ without credible metadata. */
const nominalPeakNits = 1000;

// Below the lower bound, white of 203 nits would come close to clipping. No video is mastered above the upper bound.
const peakNitsRange = { min: 600, max: 4000 } as const;

// A lower figure is a mistake in the unit or a placeholder; a higher one PQ cannot express.
const credibleNitsRange = { min: 100, max: 10_000 } as const;

/** The share of reference white up to which mobius changes nothing: 77 nits, above most skin. */
const mobiusKnee = 0.38;

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;

/** The colors of HDR that declares none. */
const assumed = { primaries: 'bt2020', matrix: 'bt2020nc' };

type Assumed = typeof assumed;

/** Names of ITU-T H.273 that ffprobe reports and zscale takes. */
const readableMatrices = ['bt709', 'fcc', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020nc'];

/**
 * Filters whose frames zscale can convert: it rejects odd sizes with subsampled chroma, and frames that do not declare
 * their colors.
 */
function zscaleSource(
  video: Pick<VideoStream, 'pixelFormat' | 'colorPrimaries' | 'colorMatrix' | 'isFullRange'>,
  { transfer, assumed, keepsAlpha }: { transfer: string; assumed: Assumed; keepsAlpha: boolean },
): Filter[] {
  const { colorPrimaries = '', colorMatrix = '', isFullRange } = video;
  const isKnown = knownPrimaries.includes(colorPrimaries);
  const colors = `color_primaries=${isKnown ? colorPrimaries : assumed.primaries}:color_trc=${transfer}`;
  const matrix = readableMatrices.includes(colorMatrix) ? colorMatrix : assumed.matrix;
  const [format, range, space] = isRgb(video)
    ? [keepsAlpha ? 'gbrap12le' : 'gbrp12le', 'pc', 'gbr']
    : [keepsAlpha ? 'yuva444p12le' : 'yuv444p12le', isFullRange ? 'pc' : 'tv', matrix];
  return [formatFilter(format), filter('setparams', `range=${range}:${colors}:colorspace=${space}`)];
}

/**
 * Converts PQ and HLG to BT.709, with the gamma of 2.4 of BT.1886, in 4:4:4. Shown as SDR without it, HDR looks grey
 * and flat. Reference white becomes 1 in linear light, and the curve compresses what lies above its knee up to the
 * peak.
 */
export function toneMap(
  video: VideoStream,
  {
    curve = 'mobius',
    matrix = 'bt709',
    bitDepth,
    keepsAlpha = false,
  }: { curve?: ToneCurve | undefined; matrix?: 'bt709' | '170m'; bitDepth: 8 | 10; keepsAlpha?: boolean },
): Filter[] {
  const { hdrTransfer, hdrMetadata } = video;
  if (!hdrTransfer) return [];
  const peakNits = hdrTransfer === 'hlg' ? nominalPeakNits : contentPeakNits(hdrMetadata);
  const knee = curve === 'mobius' ? `:param=${mobiusKnee}` : '';
  const filters = [
    ...zscaleSource(video, { transfer: transferNames[hdrTransfer], assumed, keepsAlpha }),
    filter('zscale', `t=linear:npl=${referenceWhiteNits}`),
    formatFilter(keepsAlpha ? 'gbrapf32le' : 'gbrpf32le'),
    filter('zscale', 'p=bt709'),
    filter('tonemap', `tonemap=${curve}${knee}:desat=0:peak=${(peakNits / referenceWhiteNits).toFixed(3)}`),
    // Without dithering, skies would have bands in 8 bits.
    filter('zscale', `t=bt709:m=${matrix}:r=tv${bitDepth === 8 ? ':dither=error_diffusion' : ''}`),
    formatFilter(`${keepsAlpha ? 'yuva444p' : 'yuv444p'}${bitDepth === 8 ? '' : '10le'}`),
    // Drops the HDR metadata of the source.
    filter('sidedata', 'mode=delete'),
  ];
  return [measuredTogether('tonemap', filters)];
}

/** The peak to compress, in nits: what the content reaches, and at most what the mastering display could show. */
export function contentPeakNits({ maxContentNits, masteringPeakNits }: HdrMetadata = {}): number {
  const credible = [maxContentNits, masteringPeakNits].filter(
    (nits) => nits !== undefined && nits >= credibleNitsRange.min && nits <= credibleNitsRange.max,
  ) as number[];
  const peak = credible.length === 0 ? nominalPeakNits : Math.min(...credible);
  return Math.min(peakNitsRange.max, Math.max(peakNitsRange.min, peak));
}

/** Transfers that zscale takes: not all that setparams does. */
// biome-ignore format: a table
const readableTransfers = [
  'bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear', 'log100', 'log316',
  'bt2020-10', 'bt2020-12', 'iec61966-2-1', 'iec61966-2-4',
];

/** Converts wide primaries to those of BT.709, in 4:4:4. Colors outside of it are clipped, and the transfer stays. */
export function wideGamutToBt709(
  video: VideoStream,
  { matrix, bitDepth, keepsAlpha }: { matrix: 'bt709' | '170m'; bitDepth: 8 | 10; keepsAlpha: boolean },
): Filter[] {
  const { colorPrimaries = 'bt2020', colorTransfer = '' } = video;
  const assumed = { primaries: colorPrimaries, matrix: assumedMatrix(video) };
  const isTransparent = keepsAlpha && hasAlpha(video);
  const transfer = readableTransfers.includes(colorTransfer) ? colorTransfer : 'bt709';
  const converted = `${isTransparent ? 'yuva444p' : 'yuv444p'}${bitDepth === 10 ? '10le' : ''}`;
  return [
    ...zscaleSource(video, { transfer, assumed, keepsAlpha: isTransparent }),
    filter('zscale', `p=bt709:m=${matrix}:r=tv`),
    formatFilter(converted),
  ];
}
