import type { ExactRate } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { VideoStream } from '../probe/probe.ts';
import { assumeHdColorMatrix, type ImageColorMatrix, scaleColorOptions } from './color-space.ts';

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;

export type FrameTransform = {
  /** The size to scale to; with `crop` or `pad`, what is cut from or laid on it afterwards. */
  scale: Size;
  crop?: Size;
  pad?: Size;
  framesPerSecond?: number | ExactRate;
  /** The second of the source that the output begins with; its first picture is shown from there, however late it comes. */
  startSeconds?: number;
  /** Times as fast as the source. */
  tempo?: number;
  /** Degrees clockwise that the picture is turned after all else, and the way it is mirrored then. */
  rotate?: Rotation;
  mirror?: Mirror;
  /** How bright parts of an HDR picture are brought down; mobius where left out. */
  toneCurve?: ToneCurve;
  /** That of the format, where it has one; the source's own where left out. */
  colorMatrix?: ImageColorMatrix;
};

export type Rotation = 0 | 90 | 180 | 270;
export type Mirror = 'horizontal' | 'vertical';

/** Curves of ffmpeg's tonemap filter. */
export const toneCurves = ['mobius', 'hable', 'reinhard'] as const;

export type ToneCurve = (typeof toneCurves)[number];

const turns: Record<Rotation, string[]> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

const mirrors: Record<Mirror, string> = { horizontal: 'hflip', vertical: 'vflip' };

/** Filters that leave out what is not to be encoded. */
export type FrameSelection = { selectFilters?: readonly string[] };

/**
 * The filter chain that every picture passes: progressive, upright (ffmpeg turns it before the chain), of the
 * planned size, with square pixels, in standard dynamic range.
 */
export function videoFilters(
  video: VideoStream,
  { selectFilters = [], ...change }: FrameTransform & FrameSelection,
): string[] {
  return [
    ...(video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    // Behind the filter that makes pictures of fields, which looks at those before and after.
    ...selectFilters,
    ...(change.tempo ? [`setpts=PTS/${change.tempo}`] : []),
    ...(change.startSeconds === undefined ? [] : [`setpts=PTS-${change.startSeconds}/TB`]),
    ...(change.framesPerSecond ? [`fps=${change.framesPerSecond}${fromStart(change)}`] : []),
    ...scaled(video, change),
    'setsar=1',
    ...(change.crop ? [`crop=${change.crop.width}:${change.crop.height}`] : []),
    ...toneMap(video, change),
    ...(change.pad ? [`pad=${change.pad.width}:${change.pad.height}:-1:-1:color=black`] : []),
    ...turns[change.rotate ?? 0],
    ...(change.mirror ? [mirrors[change.mirror]] : []),
  ];
}

function scaled(video: VideoStream, { scale: { width, height }, colorMatrix }: FrameTransform): string[] {
  const colours = scaleColorOptions(video, colorMatrix);
  const filter = `scale=${width}:${height}:flags=bicubic${colours}`;
  // Where a later filter or encoder decides on the format, ffmpeg leaves matrix or range as they were.
  return [...assumeHdColorMatrix(video), filter, ...(colours ? ['format=yuv420p'] : [])];
}

function fromStart({ startSeconds }: FrameTransform): string {
  return startSeconds === undefined ? '' : ':start_time=0';
}

/**
 * Arguments that map a stream of the first input through a chain. What the file of an HDR source says of highlights, and
 * of Dolby Vision, ffmpeg would say of the output of a plain chain too; of that of a graph it says nothing.
 */
export function mapThroughFilters({ index, hdrTransfer, dolbyVision }: VideoStream, chain: string): string[] {
  if (hdrTransfer === undefined && dolbyVision === undefined) return ['-map', `0:${index}`, '-vf', chain];
  return ['-filter_complex', `[0:${index}]${chain}[out]`, '-map', '[out]'];
}

/** The size that comes out of the chain. */
export function transformedSize({ scale, crop, pad, rotate = 0 }: FrameTransform): Size {
  const { width, height } = pad ?? crop ?? scale;
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Brings PQ and HLG into BT.709: in 8 bits without it they look grey and flat. */
function toneMap(
  { hdrTransfer, isFullRange }: VideoStream,
  { toneCurve: curve = 'mobius', colorMatrix }: Pick<FrameTransform, 'toneCurve' | 'colorMatrix'>,
): string[] {
  if (!hdrTransfer) return [];
  return [
    // zscale refuses odd sizes where colour has half the resolution.
    'format=yuv444p12le',
    // The colours of the source are spelled out, since zscale stops at frames that do not carry them.
    `zscale=tin=${transferNames[hdrTransfer]}:min=bt2020nc:pin=bt2020:rin=${isFullRange ? 'pc' : 'tv'}:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    `tonemap=tonemap=${curve}:desat=0`,
    `zscale=t=bt709:m=${colorMatrix === 'bt601' ? '170m' : 'bt709'}:r=tv`,
    'format=yuv444p',
    // What the source says of its highlights would be written into the output too.
    'sidedata=mode=delete',
  ];
}

/**
 * Options of an input whose picture changes its size on the way, as calls do when the line gets worse: one graph goes
 * on through it. A new one would forget what it has seen, count from the start again, and begin with what other inputs
 * have left, which of a still picture is nothing. Not where ffmpeg has to turn the picture before all else, which takes
 * one size alone. `normalizeFrameSize` stands first in that graph.
 */
export function keepFilterGraph({ rotation }: VideoStream): string[] {
  return rotation === 0 ? ['-reinit_filter:v', '0'] : [];
}

/**
 * Filters that bring every frame into the size of the first, where the filter that makes pictures of fields takes no
 * other. What has that size already passes as it is. Not `interl=1`: with odd sizes it writes where it must not.
 */
export function normalizeFrameSize({ isInterlaced }: VideoStream): string[] {
  return isInterlaced ? ['scale=iw:ih'] : [];
}
