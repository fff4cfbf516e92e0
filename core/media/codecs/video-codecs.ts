import type { VideoFormat } from '../formats.ts';
import type { ExactRate } from '../frame-rate.ts';

/** The encoders of the service, by the name that requests use. */
export const videoCodecs = ['h264', 'h265', 'vp9', 'av1'] as const;

export type VideoCodec = (typeof videoCodecs)[number];

/** Constant quality (lower is better), as far as the most kbit/s allow, or a target bit rate in kbit/s. */
export type Quality = { crf: number; maxKbps?: number } | { bitrateKbps: number };

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

/** What ffprobe calls the codec of a finished file. */
export const probedCodecs: Record<VideoCodec, string> = {
  h264: 'h264',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
};

/** The quality that each encoder uses where a request names none; they look alike. */
export const defaultCrf: Record<VideoCodec, number> = { h264: 23, h265: 28, vp9: 32, av1: 35 };

/** The codecs that players expect in each container; the first is the default. */
export const codecsByFormat: Record<VideoFormat, readonly [VideoCodec, ...VideoCodec[]]> = {
  mp4: ['h264', 'h265', 'av1'],
  mov: ['h264', 'h265'],
  mkv: ['h264', 'h265', 'vp9', 'av1'],
  webm: ['vp9', 'av1'],
};

type EncoderOptions = {
  format: VideoFormat;
  preset?: Preset;
  /** In place of the rate that ffmpeg would tell H.264 and H.265; see `signalledFps`. */
  signalledFps?: ExactRate | undefined;
};

/** Arguments that encode the picture in 8-bit 4:2:0, which every player shows. */
export function videoCodecArguments(
  codec: VideoCodec,
  options: EncoderOptions & { quality: Quality },
): string[] {
  return [...encoder(codec, options), ...rate(codec, options.quality), '-pix_fmt', 'yuv420p'];
}

/** Apple's players refuse H.265 in MP4 under ffmpeg's own tag. */
export function codecTagArguments(codec: VideoCodec, format: VideoFormat): string[] {
  return codec === 'h265' && (format === 'mp4' || format === 'mov') ? ['-tag:v', 'hvc1'] : [];
}

function encoder(codec: VideoCodec, { format, preset, signalledFps: exact }: EncoderOptions): string[] {
  const told = exact === undefined ? [] : [`fps=${exact}`];
  switch (codec) {
    case 'h264':
      return ['-c:v', 'libx264', '-preset', preset ?? 'veryfast', ...parameters('x264', told)];
    case 'h265':
      return [
        ...['-c:v', 'libx265', '-preset', preset ?? 'fast', ...codecTagArguments(codec, format)],
        // What it says of the processor differs from machine to machine, and is part of how a decoder is set up.
        ...parameters('x265', ['info=0', ...told]),
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

function rate(codec: VideoCodec, quality: Quality): string[] {
  if ('bitrateKbps' in quality) return targetRate(codec, quality.bitrateKbps);
  // libvpx treats the crf as a mere ceiling unless the bit rate is zero.
  return ['-crf', String(quality.crf), ...(codec === 'vp9' ? ['-b:v', '0'] : []), ...ceiling(quality)];
}

function ceiling({ maxKbps }: { maxKbps?: number }): string[] {
  return maxKbps === undefined ? [] : ['-maxrate:v', `${maxKbps}k`, '-bufsize:v', `${maxKbps * 2}k`];
}

function targetRate(codec: VideoCodec, kbps: number): string[] {
  const target = ['-b:v', `${kbps}k`];
  // SVT-AV1 takes a ceiling only together with a crf.
  if (codec === 'av1') return target;
  return [...target, '-maxrate', `${Math.round(kbps * 1.5)}k`, '-bufsize', `${kbps * 2}k`];
}
