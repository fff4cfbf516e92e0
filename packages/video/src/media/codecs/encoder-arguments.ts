import { filter } from '../filters/filter.ts';
import type { FrameTransform } from '../filters/video-filters.ts';
import type { VideoFormat } from '../formats.ts';
import { type ExactRate, maxSvtFps, toFps } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { VideoStream } from '../probe/probe.ts';
import { defaultPreset, type Preset, type Profile, type VideoCodec } from './video-codecs.ts';

/** Options of any encoder that the request may choose. */
export type EncoderSettings = {
  preset?: Preset | undefined;
  /** Maximum number of frames from one keyframe to the next. */
  gopFrames?: number | undefined;
  profile?: Profile | undefined;
  /** Only the frames that a command forces become keyframes, and each starts a closed GOP. */
  forcesKeyframes?: boolean | undefined;
  /** Keeps the transparency of the frames. VP9 only. */
  keepsAlpha?: boolean | undefined;
  /** Writes the same headers at any bit rate: the chunks of a video have one decoder configuration. */
  isChunk?: boolean | undefined;
  /** Buffers fewer frames: less memory, slightly larger files, with av1 also slower. See `encoder-memory.ts`. */
  savesMemory?: boolean | undefined;
};

type EncoderOptions = EncoderSettings & {
  format: VideoFormat;
  /** The largest size that the encoder writes. Undefined: no limit of reference frames. */
  size?: Size | undefined;
  /** Replaces the frame rate that ffmpeg would signal to x264, x265 and SVT-AV1; see `signalledFps()`. */
  signalledFps?: ExactRate | undefined;
};

/**
 * Arguments that encode video as 4:2:0, which every player supports: H.264 and VP9 in 8 bits, H.265 and AV1 in 10, which
 * their players decode too, and which needs fewer bytes and shows no bands.
 */
export function videoCodecArguments(codec: VideoCodec, options: EncoderOptions & { quality: Quality }): string[] {
  const { gopFrames, profile, keepsAlpha = false } = options;
  return [
    ...encoderArguments(codec, options),
    ...(profile === undefined ? [] : ['-profile:v', profile]),
    ...(gopFrames === undefined ? [] : ['-g', String(gopFrames)]),
    ...rateControl(codec, options.quality),
    // Alternate reference frames have no transparency.
    ...(keepsAlpha ? ['-auto-alt-ref', '0'] : []),
    ...['-pix_fmt', encodedPixelFormat(codec, options)],
  ];
}

/** The pixel format that an encoder gets. Filters that convert colors have to write it too: fewer bits would show bands. */
export function encodedPixelFormat(
  codec: VideoCodec,
  { profile, keepsAlpha = false }: Pick<EncoderSettings, 'profile' | 'keepsAlpha'>,
): string {
  if (keepsAlpha) return 'yuva420p';
  return codec === 'av1' || (codec === 'h265' && profile !== 'main') ? 'yuv420p10le' : 'yuv420p';
}

/** Apple's players reject H.265 in MP4 with ffmpeg's default tag. */
export function codecTagArguments(codec: VideoCodec, format: VideoFormat): string[] {
  return codec === 'h265' && (format === 'mp4' || format === 'mov') ? ['-tag:v', 'hvc1'] : [];
}

/** `-cpu-used` of libvpx in its mode `good`, which ends at 5. */
// biome-ignore format: a table
const vp9Speeds: Record<Preset, number> = {
  ultrafast: 5, superfast: 5, veryfast: 5, faster: 4, fast: 3, medium: 2, slow: 1, slower: 0,
};

/** Presets of SVT-AV1. */
// biome-ignore format: a table
const av1Speeds: Record<Preset, number> = {
  ultrafast: 12, superfast: 11, veryfast: 10, faster: 9, fast: 8, medium: 6, slow: 5, slower: 4,
};

function encoderArguments(codec: VideoCodec, options: EncoderOptions & { quality: Quality }): string[] {
  const { format, preset = defaultPreset[codec], signalledFps, size, quality } = options;
  const { savesMemory = false, forcesKeyframes = false, isChunk = false } = options;
  const frameRate = signalledFps === undefined ? [] : [`fps=${signalledFps}`];
  switch (codec) {
    case 'h264': {
      const references = size && limitReferences(preset, size);
      const list = [
        ...(references === undefined ? [] : [`ref=${references}`]),
        ...limitLookahead(codec, { preset, savesMemory }),
        ...frameRate,
        ...initialBuffer(quality),
        ...(isChunk ? ['stitchable=1'] : []),
      ];
      return ['-c:v', 'libx264', '-preset', preset, ...parameters('x264', list)];
    }
    case 'h265':
      return [
        ...['-c:v', 'libx265', '-preset', preset, ...codecTagArguments(codec, format)],
        // The default is 1 in ffmpeg 7.0, 0 in 7.1.
        ...['-a53cc', '1'],
        ...(forcesKeyframes ? ['-forced-idr', '1'] : []),
        // The encoder info in the stream headers names the CPU. Chunks from different machines would not match.
        ...parameters('x265', [
          'info=0',
          ...(forcesKeyframes ? ['scenecut=0', 'open-gop=0'] : []),
          ...limitLookahead(codec, { preset, savesMemory }),
          ...frameRate,
          ...initialBuffer(quality),
          ...x265Pass(quality),
        ]),
      ];
    case 'vp9':
      return ['-c:v', 'libvpx-vp9', '-row-mt', '1', '-deadline', 'good', '-cpu-used', String(vp9Speeds[preset])];
    case 'av1':
      return [
        ...['-c:v', 'libsvtav1', '-preset', String(av1Speeds[preset])],
        ...parameters('svtav1', [
          // The lowest level of parallelism, and groups of 16 frames instead of 32: the encoder holds fewer at the same time.
          ...(savesMemory ? ['lp=1', 'hierarchical-levels=4'] : []),
          ...(signalledFps === undefined ? [] : svtFps(signalledFps)),
        ]),
      ];
  }
}

/** Frames that x264 and x265 look ahead by preset: each is held in memory. */
const lookaheadFrames: Record<'h264' | 'h265', Record<Preset, number>> = {
  h264: { ultrafast: 0, superfast: 0, veryfast: 10, faster: 20, fast: 30, medium: 40, slow: 50, slower: 60 },
  h265: { ultrafast: 5, superfast: 10, veryfast: 15, faster: 15, fast: 15, medium: 20, slow: 25, slower: 40 },
};

/** Above the eight B-frames of x265's preset `slower`, which the look-ahead must exceed. */
const minLookaheadFrames = 10;

function limitLookahead(
  codec: 'h264' | 'h265',
  { preset, savesMemory }: { preset: Preset; savesMemory: boolean },
): string[] {
  const limits = savesMemory && lookaheadFrames[codec][preset] > minLookaheadFrames;
  return limits ? [`rc-lookahead=${minLookaheadFrames}`] : [];
}

/** Reference frames of the x264 presets that use many. */
const presetReferences: Partial<Record<Preset, number>> = { slow: 5, slower: 8 };

/**
 * The decoded frames, in macroblocks, that a decoder of each size holds, by the H.264 levels 3.1, 3.2, 4.2 and 5.2.
 * x264 declares a level that holds its reference frames: 1080p with eight of them would need a decoder for 4K.
 */
const decoderMacroblocks = [
  { frame: 1620, held: 18_000 },
  { frame: 3600, held: 20_480 },
  { frame: 8704, held: 34_816 },
  { frame: 36_864, held: 184_320 },
];

function limitReferences(preset: Preset, { width, height }: Size): number | undefined {
  const frame = Math.ceil(width / 16) * Math.ceil(height / 16);
  const held = decoderMacroblocks.find((level) => frame <= level.frame)?.held ?? Number.POSITIVE_INFINITY;
  const references = Math.max(1, Math.floor(held / frame));
  return references < (presetReferences[preset] ?? 0) ? references : undefined;
}

/** SVT-AV1 uses the rate only for its rate control. Frames keep their timestamps. */
function svtFps(rate: ExactRate): string[] {
  const [frames, seconds] = toFps(rate) > maxSvtFps ? [maxSvtFps, 1] : rate.split('/');
  return [`fps-num=${frames}`, `fps-denom=${seconds}`];
}

function parameters(encoder: 'x264' | 'x265' | 'svtav1', list: readonly string[]): string[] {
  return list.length === 0 ? [] : [`-${encoder}-params`, list.join(':')];
}

/** Constant quality (lower is better), optionally limited to `maxKbps`, or a target bit rate. */
export type Quality = ConstantQuality | TargetBitrate;

export type ConstantQuality = { crf: number; maxKbps?: number | undefined; buffer?: RateBuffer | undefined };

/** Without two passes, the maximum is 1.5 times the target unless it is set. Two passes are limited by a buffer only. */
export type TargetBitrate = {
  bitrateKbps: number;
  maxKbps?: number | undefined;
  buffer?: RateBuffer | undefined;
  twoPass?: TwoPass | undefined;
  /** The size of the whole file, with its audio, that the bit rate aims at. */
  fileBytes?: number | undefined;
};

/** The buffer of a decoder that reads at the maximum bit rate: the CPB of H.264 and H.265, Annex C. */
export type RateBuffer = {
  kilobits: number;
  /** How full it is before the first frame is taken out, 0 to 1. */
  initialShare: number;
};

const bufferSeconds = 2;

/** ffmpeg stores the bits of a buffer in a signed integer of 32 bits. */
const maxBufferKilobits = 2_147_483;

/** The buffer of a whole video: two seconds at the maximum bit rate. x264 and x265 assume this share by themselves. */
export function rateBuffer(maxKbps: number): RateBuffer {
  return { kilobits: Math.min(maxBufferKilobits, maxKbps * bufferSeconds), initialShare: 0.9 };
}

/** A maximum bit rate, and the buffer of a decoder in which it is kept. */
export type RateLimit = { maxKbps: number; buffer: RateBuffer };

/** The maximum bit rate of a target in one pass, and the buffer in which it is kept. */
export function limitOfTarget({ bitrateKbps, maxKbps = Math.round(bitrateKbps * 1.5) }: TargetBitrate): RateLimit {
  return { maxKbps, buffer: rateBuffer(maxKbps) };
}

/** One of two passes. The first writes statistics to files that begin with this path, and no video. */
export type TwoPass = { pass: 1 | 2; statisticsPath: string };

/** Arguments for the quality or the bit rate of an encoder. */
function rateControl(codec: VideoCodec, quality: Quality): string[] {
  if ('bitrateKbps' in quality) return targetRate(codec, quality);
  const { crf, maxKbps, buffer } = quality;
  // libvpx treats the CRF as an upper bound unless the bit rate is 0, and its bit rate as the maximum.
  if (codec === 'vp9') return ['-crf', String(crf), '-b:v', maxKbps === undefined ? '0' : `${maxKbps}k`];
  return ['-crf', String(crf), ...maxRateArguments(maxKbps, buffer)];
}

function maxRateArguments(maxKbps: number | undefined, buffer: RateBuffer | undefined): string[] {
  if (maxKbps === undefined) return [];
  const { kilobits } = buffer ?? rateBuffer(maxKbps);
  return ['-maxrate:v', `${maxKbps}k`, '-bufsize:v', `${kilobits}k`];
}

/** A parameter of x264 and x265. ffmpeg passes it on to x264 only. */
function initialBuffer({ buffer }: Quality): string[] {
  return buffer === undefined ? [] : [`vbv-init=${buffer.initialShare}`];
}

/** Parameters of x265. ffmpeg does not pass these options on to it. */
function x265Pass(quality: Quality): string[] {
  if (!('twoPass' in quality) || quality.twoPass === undefined) return [];
  const { pass, statisticsPath } = quality.twoPass;
  return [`pass=${pass}`, `stats=${statisticsPath}.x265`];
}

function targetRate(codec: VideoCodec, quality: TargetBitrate): string[] {
  const { bitrateKbps, twoPass, buffer } = quality;
  const target = ['-b:v', `${bitrateKbps}k`];
  // SVT-AV1 accepts a maximum rate only together with a CRF.
  if (codec === 'av1') return target;
  return [
    ...target,
    ...(twoPass && codec !== 'h265' ? ['-pass', String(twoPass.pass), '-passlogfile', twoPass.statisticsPath] : []),
    // The statistics tell where bits are needed.
    ...(twoPass && buffer === undefined ? [] : maxRateArguments(limitOfTarget(quality).maxKbps, buffer)),
  ];
}

type Projected = Pick<VideoStream, 'projection' | 'dolbyVision'>;

/** Of a transform: what decides whether its frames show the whole sphere. */
type Framing = Pick<FrameTransform, 'crop' | 'pad' | 'rotate' | 'toBt709'>;

/** Whether the frames of a 360-degree video still show the whole sphere, and all frames of the output are of it. */
function showsSphere({ crop, pad, rotate = 0, toBt709 }: Framing): boolean {
  return crop === undefined && pad === undefined && rotate % 180 === 0 && toBt709 === undefined;
}

/**
 * Arguments that let MP4 and MOV state the projection of a 360-degree video, which ffmpeg counts as unofficial. Matroska and
 * WebM state it without.
 */
export function projectionArguments({ projection, dolbyVision }: Projected, framing: Framing): string[] {
  // The same option would write the configuration of Dolby Vision, which an encoded video has no more.
  const isKept = projection !== undefined && dolbyVision === undefined && showsSphere(framing);
  return isKept ? ['-strict', 'unofficial'] : [];
}

/** Whether a projection must go: the frames no longer fit it, and players would bend them around the viewer. */
export function dropsProjection({ projection }: Projected, framing: Framing): boolean {
  return projection !== undefined && !showsSphere(framing);
}

/** From ffmpeg 7.1 on, frames carry the projection. Before, only a filter graph with labels drops that of the stream. */
export const dropProjection = filter('sidedata', 'mode=delete:type=SPHERICAL');
