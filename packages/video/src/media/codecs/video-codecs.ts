import type { ImageColorMatrix } from '../filters/color-space.ts';
import type { VideoFormat } from '../formats.ts';

/** The video codecs, by their names in requests. */
export const videoCodecs = ['h264', 'h265', 'vp9', 'av1'] as const;

export type VideoCodec = (typeof videoCodecs)[number];

/** SVT-AV1 takes no statistics from ffmpeg. */
export const twoPassCodecs: readonly VideoCodec[] = ['h264', 'h265', 'vp9'];

/** The codecs whose encoder states no duration of its packets: ffmpeg's wrapper of SVT-AV1 passes none on. */
export const codecsWithoutDurations: readonly VideoCodec[] = ['av1'];

/** Encoding efforts, from fast and large to slow and small. Each encoder has its own settings for them. */
export const presets = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower'] as const;

export type Preset = (typeof presets)[number];

/** ffprobe's codec names. */
export const probedCodecs: Record<VideoCodec, string> = { h264: 'h264', h265: 'hevc', vp9: 'vp9', av1: 'av1' };

/** The default CRF of each encoder with its default preset: VMAF 93 ± 1.5. */
export const defaultCrf: Record<VideoCodec, number> = { h264: 26, h265: 25, vp9: 30, av1: 37 };

/** The highest CRF of each encoder, which looks worst. */
export const maxCrf: Record<VideoCodec, number> = { h264: 51, h265: 51, vp9: 63, av1: 63 };

/** The highest target and maximum bit rate of each encoder. SVT-AV1 does not open with a higher one. */
export const maxBitrateKbps: Record<VideoCodec, number> = {
  h264: Number.POSITIVE_INFINITY,
  h265: Number.POSITIVE_INFINITY,
  vp9: Number.POSITIVE_INFINITY,
  av1: 100_000,
};

/** The default effort of each encoder: a slower one saves fewer bytes than it takes processor time. */
export const defaultPreset: Record<VideoCodec, Preset> = { h264: 'medium', h265: 'fast', vp9: 'veryfast', av1: 'fast' };

/** Profiles of H.264 and H.265. The default of H.265 is main10, of H.264 high. VP9 and AV1 have one that players read. */
export const profiles = ['baseline', 'main', 'high', 'main10'] as const;

export type Profile = (typeof profiles)[number];

/** The first is the default. */
export const profilesByCodec: Record<VideoCodec, readonly Profile[]> = {
  h264: ['high', 'main', 'baseline'],
  h265: ['main10', 'main'],
  vp9: [],
  av1: [],
};

/** The codecs that players support in each container. The first is the default. */
export const codecsByFormat: Record<VideoFormat, readonly [VideoCodec, ...VideoCodec[]]> = {
  mp4: ['h264', 'h265', 'av1'],
  mov: ['h264', 'h265'],
  mkv: ['h264', 'h265', 'vp9', 'av1'],
  webm: ['vp9', 'av1'],
};

/** The profiles of ProRes, from small to large, and their numbers. All have 10 bits or more; `4444` has transparency. */
const profileNumbers = { proxy: 0, lt: 1, standard: 2, hq: 3, '4444': 4 } as const;

export type ProResProfile = keyof typeof profileNumbers;

export const proResProfiles = Object.keys(profileNumbers) as [ProResProfile, ...ProResProfile[]];

/** Arguments that encode ProRes, and the pixel format that the filters keep the chroma in. */
export function proResArguments(
  profile: ProResProfile,
  { isTransparent }: { isTransparent: boolean },
): { pixelFormat: string; codec: string[] } {
  const opaque = profile === '4444' ? 'yuv444p10le' : 'yuv422p10le';
  const pixelFormat = isTransparent ? 'yuva444p10le' : opaque;
  const alpha = isTransparent ? ['-alpha_bits', '16'] : [];
  const profileNumber = String(profileNumbers[profile]);
  // Editing programs treat the files of unknown vendors as foreign.
  const encoder = ['-c:v', 'prores_ks', '-profile:v', profileNumber, '-vendor', 'apl0'];
  return { pixelFormat, codec: [...encoder, ...alpha, '-pix_fmt', pixelFormat] };
}

/** ffmpeg's encoder arguments and ffprobe's codec name for each image format. */
export const imageEncoders = {
  jpg: { codec: 'mjpeg', arguments: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] },
  png: { codec: 'png', arguments: ['-c:v', 'png'] },
  webp: { codec: 'webp', arguments: ['-c:v', 'libwebp', '-quality', '85'] },
  avif: {
    codec: 'av1',
    // The transparency is a stream of its own, which stays lossless.
    arguments: ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '6', '-crf:v:0', '24', '-crf:v:1', '0'],
  },
} as const;

export type ImageFormat = keyof typeof imageEncoders;

/** Color matrix and transparency of the format, as part of a frame transform. `background` is for those without. */
export function imageColors(
  format: ImageFormat,
  background?: string,
): { colorMatrix: ImageColorMatrix; background?: string } {
  if (format === 'jpg') return { colorMatrix: 'bt601', ...(background && { background }) };
  return { colorMatrix: format === 'png' ? 'rgb' : 'bt601', background: 'keep' };
}

/** Whether ffmpeg writes the ICC profile of the source into the format. */
export function keepsColorProfile(format: ImageFormat): boolean {
  return format === 'jpg' || format === 'png';
}
