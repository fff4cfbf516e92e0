import type { Argument } from '../ffmpeg/command.ts';
import { type DeinterlaceRate, type ExactRate, isFieldRate } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { ExifOrientation } from '../probe/exif-orientation.ts';
import type { VideoStream } from '../probe/probe.ts';
import type { ColorProfile } from '../probe/read-icc.ts';
import { compositeOn, dropUnusedByte, hasAlpha, scaleWithAlpha } from './alpha.ts';
import { dropOtherProfile, profileToSrgb } from './color-profile.ts';
import {
  assumeColorMatrix,
  chromaOptions,
  hasWideGamut,
  type ImageColorMatrix,
  isRgb,
  keptChromaOptions,
  scaleColorOptions,
  tagColors,
  tagImageColors,
} from './color-space.ts';
import {
  constantRate,
  type Filter,
  type FilterGraph,
  filter,
  formatFilter,
  lastFieldFilters,
  letterbox,
  sizeOption,
} from './filter.ts';
import { type ToneCurve, toneMap, wideGamutToBt709 } from './tone-map.ts';

export type FrameTransform = {
  /** The size to scale to, before `crop` or `pad`. */
  scale: Size;
  crop?: Size & { gravity?: Gravity | undefined };
  pad?: Size;
  framesPerSecond?: number | ExactRate;
  /** The second of the source at which the output starts. If the first frame comes later, it is shown from there. */
  startSeconds?: number;
  /** Speed relative to the source. */
  tempo?: number;
  /** Degrees clockwise. Rotation and then mirroring come last. */
  rotate?: Rotation;
  mirror?: Mirror;
  /** For HDR sources; default: mobius. */
  toneCurve?: ToneCurve;
  /** The fixed matrix of an image format; default: a video in full tags, which keeps the matrix of its source. */
  colorMatrix?: ImageColorMatrix;
  /** Frames of an interlaced source: one per field, as smooth as the source, or one per frame. Default: `field`. */
  deinterlace?: DeinterlaceRate | undefined;
  /** The color behind a transparent source, such as `#ffffff`, which is the default. `keep` is for formats with alpha. */
  background?: string | undefined;
  /** The pixel format of converted colors; default: 4:2:0 in 8 bits, with the alpha of the source if it is kept. */
  pixelFormat?: string | undefined;
  /** Converts every source to BT.709 in limited range with chroma at the left: joined videos have equal colors. */
  toBt709?: true;
  /** Converts the colors of a still image with this profile to sRGB. */
  toSrgb?: ColorProfile | undefined;
};

/** The side of a frame that a crop keeps. */
export const gravities = ['center', 'top', 'bottom', 'left', 'right'] as const;

export type Gravity = (typeof gravities)[number];

/** The options of `crop` behind its size. The filter crops around the center by default. */
const cropOffsets: Record<Gravity, string> = {
  center: '',
  top: ':(iw-ow)/2:0',
  bottom: ':(iw-ow)/2:ih-oh',
  left: ':0:(ih-oh)/2',
  right: ':iw-ow:(ih-oh)/2',
};

export type Rotation = 0 | 90 | 180 | 270;
export type Mirror = 'horizontal' | 'vertical';

const hflip = filter('hflip');
const vflip = filter('vflip');

export const rotations: Record<Rotation, Filter[]> = {
  0: [],
  90: [filter('transpose', 'clock')],
  180: [hflip, vflip],
  270: [filter('transpose', 'cclock')],
};

export const mirrors: Record<Mirror, Filter> = { horizontal: hflip, vertical: vflip };

const uprightFilters: Record<ExifOrientation, Filter[]> = {
  2: [hflip],
  3: [hflip, vflip],
  4: [vflip],
  5: [filter('transpose', 'cclock_flip')],
  6: [filter('transpose', 'clock')],
  7: [filter('transpose', 'clock_flip')],
  8: [filter('transpose', 'cclock')],
};

/** Filters that make a still image upright by its EXIF orientation, where ffmpeg does not. */
export function makeUpright(orientation: ExifOrientation | undefined): Filter[] {
  return orientation === undefined ? [] : uprightFilters[orientation];
}

/** Filters that drop frames before encoding, by their times in the output. */
export type FrameSelection = { selectFilters?: readonly Filter[] };

/**
 * The filter chain for every video stream and image. Its result is progressive, upright (ffmpeg rotates videos and
 * JPEG before the chain), opaque unless `background` is `keep`, of the planned size, with square pixels, in standard dynamic range.
 */
export function videoFilters(
  source: VideoStream,
  { selectFilters = [], ...change }: FrameTransform & FrameSelection,
): Filter[] {
  const { background = '#ffffff', toSrgb, toneCurve: curve } = change;
  const isFlattened = background !== 'keep' && hasAlpha(source);
  const isImage = change.colorMatrix !== undefined;
  const target = {
    matrix: change.colorMatrix === 'bt601' ? '170m' : 'bt709',
    bitDepth: change.pixelFormat?.endsWith('10le') ? 10 : 8,
  } as const;
  const needsBt709 = (video: VideoStream) => hasWideGamut(video) && (isImage || change.toBt709 === true);
  // Before a background is put behind it, whose color is that of the output.
  const isConvertedFirst = hasAlpha(source) && (source.hdrTransfer !== undefined || needsBt709(source));
  const converted = isConvertedFirst ? inStandardColors(source, target) : source;
  const isRgb = isFlattened || toSrgb !== undefined;
  const pixelFormat = hasAlpha(source) ? 'rgba' : 'rgb24';
  const bitDepth = toSrgb ? 16 : converted.bitDepth;
  const video = isRgb ? { ...converted, pixelFormat, bitDepth, colorMatrix: undefined } : converted;
  const isConverted = needsBt709(video);
  const convert = (from: VideoStream, keepsAlpha: boolean) => [
    ...(from.hdrTransfer ? toneMap(from, { curve, ...target, keepsAlpha }) : []),
    ...(needsBt709(from) ? wideGamutToBt709(from, { ...target, keepsAlpha }) : []),
  ];
  return [
    ...makeUpright(source.exifOrientation),
    ...deinterlace(source, change),
    ...(change.framesPerSecond ? lastFieldFilters(source) : []),
    ...(change.tempo ? [filter('setpts', `PTS/${change.tempo}`, { tempo: change.tempo })] : []),
    ...(change.startSeconds === undefined ? [] : [filter('setpts', `PTS-${change.startSeconds}/TB`)]),
    ...(change.framesPerSecond
      ? [constantRate(change.framesPerSecond, change.startSeconds === undefined ? '' : ':start_time=0')]
      : []),
    // Behind the filters that need the neighbouring frames or fields.
    ...selectFilters,
    ...assumeColorMatrix(source),
    ...dropUnusedByte(source),
    ...(toSrgb ? profileToSrgb(toSrgb, { hasAlpha: hasAlpha(source) }) : []),
    ...(isConvertedFirst ? convert(source, true) : []),
    ...(isFlattened ? compositeOn(background, isImage ? 8 : source.bitDepth) : []),
    ...scaleFilters(video, change, { keepsColors: isConverted }),
    filter('setsar', '1'),
    ...(change.crop
      ? [filter('crop', sizeOption(change.crop) + cropOffsets[change.crop.gravity ?? 'center'], change.crop)]
      : []),
    ...convert(video, false),
    ...(change.pad ? [filter('pad', `${sizeOption(change.pad)}:-1:-1:color=black`, change.pad)] : []),
    ...rotations[change.rotate ?? 0],
    ...(change.mirror ? [mirrors[change.mirror]] : []),
    // Tone mapping leaves 4:4:4, and a joined video may have it.
    ...((source.hdrTransfer && !isImage) || change.toBt709 ? [subsample(video)] : []),
    ...(change.colorMatrix
      ? [
          ...tagImageColors({ ...video, hdrTransfer: source.hdrTransfer }),
          ...dropOtherProfile(source, change.colorMatrix),
        ]
      : []),
    ...(isImage || isConverted ? [] : tagColors(video, transformedSize(change))),
    ...(change.toBt709 ? toBt709(change) : []),
  ];
}

function inStandardColors(
  video: VideoStream,
  { matrix, bitDepth }: { matrix: 'bt709' | '170m'; bitDepth: 8 | 10 },
): VideoStream {
  const { hdrTransfer, hdrMetadata: _, ...rest } = video;
  return {
    ...rest,
    bitDepth,
    pixelFormat: bitDepth === 8 ? 'yuva444p' : 'yuva444p10le',
    isFullRange: undefined,
    colorMatrix: matrix === '170m' ? 'smpte170m' : matrix,
    colorPrimaries: 'bt709',
    colorTransfer: hdrTransfer ? 'bt709' : video.colorTransfer,
  };
}

/** Reduces the chroma of 4:4:4 to that of the next format, and passes frames of that format on. */
function subsample(video: VideoStream): Filter {
  return filter('scale', `flags=bicubic${keptChromaOptions(video)}`);
}

/** Converts from the colors that the frames are tagged with. */
function toBt709({ pixelFormat = 'yuv420p' }: FrameTransform): Filter[] {
  return [
    // Subsamples first: ffmpeg ignores the location of the chroma samples where it converts the matrix.
    formatFilter(pixelFormat),
    filter('scale', 'out_color_matrix=bt709:out_range=tv', { matrix: 'bt709' }),
    formatFilter(pixelFormat),
    filter('setparams', 'range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'),
    // Encoders state the location of the chroma samples in their headers: that of HDR10 and JPEG is another.
    filter('zscale', 'chromal=left'),
  ];
}

const withoutRotation: Record<Rotation, Rotation> = { 0: 0, 90: 270, 180: 180, 270: 90 };

/**
 * A filter that gets frames as they are stored, where fields are rows. ffmpeg rotates frames before the chain: fields would
 * be columns, or their order inverted.
 */
export function withStoredRows({ rotation, isMirrored }: VideoStream, inRows: Filter): Filter[] {
  const mirror = isMirrored ? [vflip] : [];
  return [...rotations[withoutRotation[rotation]], ...mirror, inRows, ...mirror, ...rotations[rotation]];
}

function deinterlace(video: VideoStream, change: FrameTransform): Filter[] {
  if (!video.isInterlaced) return [];
  const isField = change.colorMatrix === undefined && isFieldRate(video, change);
  const options = `mode=${isField ? 'send_field' : 'send_frame'}:deint=interlaced`;
  return withStoredRows(video, filter('bwdif', options, isField ? { perFrame: 2 } : undefined));
}

/** Codecs of calls, whose frames have another shape once a phone is turned. ffmpeg would give all that of the first. */
const callCodecs = ['vp8', 'vp9'];

function scaleFilters(video: VideoStream, change: FrameTransform, { keepsColors }: { keepsColors: boolean }): Filter[] {
  const { width, height } = change.scale;
  const target = { size: transformedSize(change), matrix: change.colorMatrix };
  const conversion = keepsColors ? undefined : scaleColorOptions(video, target);
  const isTransparent = hasAlpha(video) && change.background === 'keep';
  const { pixelFormat = isTransparent ? 'yuva420p' : 'yuv420p' } = change;
  // Without an explicit format here, a later filter or encoder chooses one and ffmpeg skips the conversion.
  const format = conversion ? [formatFilter(pixelFormat)] : [];
  const location = change.colorMatrix === undefined ? chromaOptions(video) : '';
  const keepsShapes = callCodecs.includes(video.codec) && !hasAlpha(video) && width % 2 === 0 && height % 2 === 0;
  const { size, bars } = keepsShapes ? letterbox(change.scale) : { size: sizeOption(change.scale), bars: '' };
  const options = `${size}:flags=bicubic${location}`;
  const scale = filter('scale', options + bars, change.scale);
  const isScaled = width !== video.width || height !== video.height || video.pixelAspect !== 1;
  const convert = conversion ? [filter('scale', conversion.options, { matrix: conversion.matrix }), ...format] : [];
  if (isTransparent && isScaled) return [...scaleWithAlpha(video, scale), ...convert];
  if (conversion === undefined) return [scale];
  // ffmpeg ignores the location where it converts the matrix: that of SD enlarged to HD.
  if (location && !isRgb(video) && !video.isFullRange) return [scale, ...format, ...convert];
  const { matrix } = conversion;
  return [filter('scale', `${options}:${conversion.options}${bars}`, { ...change.scale, matrix }), ...format];
}

/**
 * Arguments that map a stream of the first input through a filter chain. `-vf` would copy the HDR and Dolby Vision
 * metadata of the source to the SDR output; `-filter_complex` does not.
 */
export function mapThroughFilters(
  { index, hdrTransfer, dolbyVision }: VideoStream,
  filters: readonly Filter[],
  { dropsMetadata = hdrTransfer !== undefined || dolbyVision !== undefined } = {},
): Argument[] {
  if (!dropsMetadata) return ['-map', `0:${index}`, '-vf', [{ filters }]];
  const graph: FilterGraph = [{ from: [`0:${index}`], filters, to: ['out'] }];
  return ['-filter_complex', graph, '-map', '[out]'];
}

export function transformedSize({ scale, crop, pad, rotate = 0 }: FrameTransform): Size {
  const { width, height } = pad ?? crop ?? scale;
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

/**
 * Input options that keep one filter graph when the frame size changes, as in recordings of video calls. A new graph
 * would lose the state of its filters, restart timestamps, and find other inputs, such as an overlay image, already at
 * their end. Not for a source that ffmpeg rotates or mirrors itself, which accepts only one size. `normalizeFrameSize` must
 * be the first filter of the graph.
 */
export function keepFilterGraph({ rotation, isMirrored }: VideoStream): string[] {
  return rotation === 0 && !isMirrored ? ['-reinit_filter:v', '0'] : [];
}

/**
 * Scales every frame to the size of the first, which the deinterlacer requires. Frames of that size pass unchanged.
 * `interl=1` is left out: with odd sizes it writes out of bounds.
 */
export function normalizeFrameSize({ isInterlaced }: VideoStream): Filter[] {
  return isInterlaced ? [filter('scale', 'iw:ih')] : [];
}
