import type { VideoFormat } from '../formats.ts';
import { type ExactRate, maxSvtFps, toFps } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { Probe } from '../probe/probe.ts';
import { initialBuffer, type Quality, rateControl, x265Pass } from './rate-control.ts';
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

function encoderArguments(
  codec: VideoCodec,
  {
    format,
    preset = defaultPreset[codec],
    signalledFps,
    size,
    quality,
    savesMemory = false,
    forcesKeyframes = false,
    isChunk = false,
  }: EncoderOptions & { quality: Quality },
): string[] {
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

/** The number of reference frames to which a preset has to be reduced; undefined if it need not be. */
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

const compressedCodecs = ['ac3', 'eac3'];

/**
 * Input options that leave out the dynamic range compression that AC-3 and E-AC-3 state. ffmpeg's decoders apply it by
 * default, and what is encoded from them could not undo it. Of an input without such a track ffmpeg would warn that the
 * option is unused.
 */
export function fullDynamicRange({ streams }: Pick<Probe, 'streams'>): string[] {
  const isCompressed = streams.some(({ codec }) => compressedCodecs.includes(codec));
  return isCompressed ? ['-drc_scale', '0'] : [];
}

/** The number of threads that an encoder takes for itself, by the CPUs of its machine. */
const threadsByEncoder: Record<string, (cpuCount: number) => number> = {
  libx264: (cpuCount) => Math.max(1, Math.floor((cpuCount * 3) / 2)),
  // Frames that x265 encodes at the same time.
  libx265: (cpuCount) => [4, 8, 16].filter((count) => cpuCount >= count).length + 1,
};

/**
 * Writes the number of threads after each encoder whose frames depend on it, unless it is there: the command makes the same
 * bytes on a machine with another number of CPUs. VP9 and AV1 are the same with any number.
 */
export function fixEncoderThreads(outputArguments: readonly string[], cpuCount: number): string[] {
  return outputArguments.flatMap((argument, index) => {
    const threads = outputArguments[index - 1] === '-c:v' ? threadsByEncoder[argument] : undefined;
    if (threads === undefined || outputArguments[index + 1] === '-threads:v') return [argument];
    return [argument, '-threads:v', String(threads(cpuCount))];
  });
}
