import type { VideoFormat } from '../formats.ts';
import type { ExactRate } from '../frame-rate.ts';

/** The video codecs, by their names in requests. */
export const videoCodecs = ['h264', 'h265', 'vp9', 'av1'] as const;

export type VideoCodec = (typeof videoCodecs)[number];

/** Constant quality (lower is better), optionally limited to `maxKbps`, or a target bit rate, optionally in two passes. */
export type Quality = { crf: number; maxKbps?: number } | { bitrateKbps: number; twoPass?: TwoPass };

/** One of two passes. The first writes statistics to files that begin with this path, and no video. */
export type TwoPass = { pass: 1 | 2; statisticsPath: string };

/** SVT-AV1 takes no statistics from ffmpeg. */
export const twoPassCodecs: readonly VideoCodec[] = ['h264', 'h265', 'vp9'];

/** Speeds of x264 and x265, from fast and large to slow and small. */
export const presets = [
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
  'slower',
] as const;

export type Preset = (typeof presets)[number];

/** ffprobe's codec names. */
export const probedCodecs: Record<VideoCodec, string> = {
  h264: 'h264',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
};

/** The default CRF of each encoder. The results look alike. */
export const defaultCrf: Record<VideoCodec, number> = { h264: 23, h265: 28, vp9: 32, av1: 35 };

/** The codecs that players support in each container. The first is the default. */
export const codecsByFormat: Record<VideoFormat, readonly [VideoCodec, ...VideoCodec[]]> = {
  mp4: ['h264', 'h265', 'av1'],
  mov: ['h264', 'h265'],
  mkv: ['h264', 'h265', 'vp9', 'av1'],
  webm: ['vp9', 'av1'],
};

type EncoderOptions = {
  format: VideoFormat;
  preset?: Preset;
  /** Replaces the frame rate that ffmpeg would signal to x264 and x265; see `signalledFps()`. */
  signalledFps?: ExactRate | undefined;
};

/** Arguments that encode video as 8-bit 4:2:0, which every player supports. */
export function videoCodecArguments(
  codec: VideoCodec,
  options: EncoderOptions & { quality: Quality },
): string[] {
  return [...encoderArguments(codec, options), ...rateControl(codec, options.quality), '-pix_fmt', 'yuv420p'];
}

/** Apple's players reject H.265 in MP4 with ffmpeg's default tag. */
export function codecTagArguments(codec: VideoCodec, format: VideoFormat): string[] {
  return codec === 'h265' && (format === 'mp4' || format === 'mov') ? ['-tag:v', 'hvc1'] : [];
}

function encoderArguments(
  codec: VideoCodec,
  { format, preset, signalledFps, quality }: EncoderOptions & { quality: Quality },
): string[] {
  const frameRate = signalledFps === undefined ? [] : [`fps=${signalledFps}`];
  switch (codec) {
    case 'h264':
      return ['-c:v', 'libx264', '-preset', preset ?? 'veryfast', ...parameters('x264', frameRate)];
    case 'h265':
      return [
        ...['-c:v', 'libx265', '-preset', preset ?? 'fast', ...codecTagArguments(codec, format)],
        // The encoder info in the stream headers names the CPU. Chunks from different machines would not match.
        ...parameters('x265', ['info=0', ...frameRate, ...x265Pass(quality)]),
      ];
    case 'vp9':
      return ['-c:v', 'libvpx-vp9', '-row-mt', '1', '-deadline', 'good', '-cpu-used', '5'];
    case 'av1':
      return ['-c:v', 'libsvtav1', '-preset', '10'];
  }
}

function parameters(encoder: 'x264' | 'x265', list: readonly string[]): string[] {
  return list.length === 0 ? [] : [`-${encoder}-params`, list.join(':')];
}

function rateControl(codec: VideoCodec, quality: Quality): string[] {
  if ('bitrateKbps' in quality) {
    const { bitrateKbps, twoPass } = quality;
    return twoPass ? averageRate(codec, { ...twoPass, bitrateKbps }) : targetRate(codec, bitrateKbps);
  }
  // libvpx treats the CRF as an upper bound unless the bit rate is 0.
  return [
    '-crf',
    String(quality.crf),
    ...(codec === 'vp9' ? ['-b:v', '0'] : []),
    ...maxRateArguments(quality),
  ];
}

function maxRateArguments({ maxKbps }: { maxKbps?: number }): string[] {
  return maxKbps === undefined ? [] : ['-maxrate:v', `${maxKbps}k`, '-bufsize:v', `${maxKbps * 2}k`];
}

/** Two passes need no limit of the peak rate: the statistics tell where bits are needed. */
function averageRate(
  codec: VideoCodec,
  { bitrateKbps, pass, statisticsPath }: TwoPass & { bitrateKbps: number },
): string[] {
  const rate = ['-b:v', `${bitrateKbps}k`];
  return codec === 'h265' ? rate : [...rate, '-pass', String(pass), '-passlogfile', statisticsPath];
}

/** ffmpeg does not pass these options on to x265. */
function x265Pass(quality: Quality): string[] {
  if (!('twoPass' in quality) || quality.twoPass === undefined) return [];
  const { pass, statisticsPath } = quality.twoPass;
  return [`pass=${pass}`, `stats=${statisticsPath}.x265`];
}

function targetRate(codec: VideoCodec, kbps: number): string[] {
  const target = ['-b:v', `${kbps}k`];
  // SVT-AV1 accepts a maximum rate only together with a CRF.
  if (codec === 'av1') return target;
  return [...target, '-maxrate', `${Math.round(kbps * 1.5)}k`, '-bufsize', `${kbps * 2}k`];
}
