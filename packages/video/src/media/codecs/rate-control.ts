import type { VideoCodec } from './video-codecs.ts';

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

/** The maximum bit rate of a target in one pass, and the buffer in which it is kept. */
export function limitOfTarget({ bitrateKbps, maxKbps = Math.round(bitrateKbps * 1.5) }: TargetBitrate): {
  maxKbps: number;
  buffer: RateBuffer;
} {
  return { maxKbps, buffer: rateBuffer(maxKbps) };
}

/** One of two passes. The first writes statistics to files that begin with this path, and no video. */
export type TwoPass = { pass: 1 | 2; statisticsPath: string };

/** Arguments for the quality or the bit rate of an encoder. */
export function rateControl(codec: VideoCodec, quality: Quality): string[] {
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
export function initialBuffer({ buffer }: Quality): string[] {
  return buffer === undefined ? [] : [`vbv-init=${buffer.initialShare}`];
}

/** Parameters of x265. ffmpeg does not pass these options on to it. */
export function x265Pass(quality: Quality): string[] {
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
    ...(twoPass && buffer === undefined ? [] : limitArguments(quality)),
  ];
}

function limitArguments(quality: TargetBitrate): string[] {
  const { maxKbps, buffer } = limitOfTarget(quality);
  return maxRateArguments(maxKbps, quality.buffer ?? buffer);
}
