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
export const probedCodecs: Record<VideoCodec, string> = {
  h264: 'h264',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
};

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
export const defaultPreset: Record<VideoCodec, Preset> = {
  h264: 'medium',
  h265: 'fast',
  vp9: 'veryfast',
  av1: 'fast',
};

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
