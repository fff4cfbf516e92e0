import type { VideoCodec } from './video-codecs.ts';

/** Constant quality (lower is better), optionally limited to `maxKbps`, or a target bit rate, optionally in two passes. */
export type Quality =
  | { crf: number; maxKbps?: number | undefined; buffer?: RateBuffer | undefined }
  | { bitrateKbps: number; maxKbps?: number | undefined; twoPass?: TwoPass };

/** The buffer of a decoder that reads at the maximum bit rate: the CPB of H.264 and H.265, Annex C. */
export type RateBuffer = {
  kilobits: number;
  /** How full it is before the first frame is taken out, 0 to 1. */
  initialShare: number;
};

const bufferSeconds = 2;

/** The buffer of a whole video. x264 and x265 assume this share by themselves. */
export function rateBuffer(maxKbps: number): RateBuffer {
  return { kilobits: maxKbps * bufferSeconds, initialShare: 0.9 };
}

/** One of two passes. The first writes statistics to files that begin with this path, and no video. */
export type TwoPass = { pass: 1 | 2; statisticsPath: string };

/** Arguments for the quality or the bit rate of an encoder. */
export function rateControl(codec: VideoCodec, quality: Quality): string[] {
  if ('bitrateKbps' in quality) {
    const { bitrateKbps, twoPass } = quality;
    return twoPass ? averageRate(codec, { ...twoPass, bitrateKbps }) : targetRate(codec, quality);
  }
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
export function initialBuffer(quality: Quality): string[] {
  if (!('crf' in quality) || quality.buffer === undefined) return [];
  return [`vbv-init=${quality.buffer.initialShare}`];
}

/** Two passes need no limit of the peak rate: the statistics show where bits are needed. */
function averageRate(
  codec: VideoCodec,
  { bitrateKbps, pass, statisticsPath }: TwoPass & { bitrateKbps: number },
): string[] {
  const rate = ['-b:v', `${bitrateKbps}k`];
  return codec === 'h265' ? rate : [...rate, '-pass', String(pass), '-passlogfile', statisticsPath];
}

/** Parameters of x265. ffmpeg does not pass these options on to it. */
export function x265Pass(quality: Quality): string[] {
  if (!('twoPass' in quality) || quality.twoPass === undefined) return [];
  const { pass, statisticsPath } = quality.twoPass;
  return [`pass=${pass}`, `stats=${statisticsPath}.x265`];
}

function targetRate(
  codec: VideoCodec,
  {
    bitrateKbps,
    maxKbps = Math.round(bitrateKbps * 1.5),
  }: { bitrateKbps: number; maxKbps?: number | undefined },
): string[] {
  const target = ['-b:v', `${bitrateKbps}k`];
  // SVT-AV1 accepts a maximum rate only together with a CRF.
  if (codec === 'av1') return target;
  return [...target, '-maxrate', `${maxKbps}k`, '-bufsize', `${bitrateKbps * 2}k`];
}
