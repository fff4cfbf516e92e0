import type { VideoFormat } from '../formats.ts';
import { exactRate, isVariableRate } from '../frame-rate.ts';
import type { VideoStream } from '../probe/probe.ts';

type CopiedCodecs = {
  video: readonly string[];
  audio: readonly string[];
  /** ffmpeg's encoder for subtitles that are text. Undefined: subtitles of any kind are copied. */
  subtitleEncoder: string | undefined;
};

const pcm = ['pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_s16be', 'pcm_s24be'];

/** The codecs, by ffprobe's names, that each container stores without encoding, in a way that its players read. */
export const copiedCodecs: Record<VideoFormat, CopiedCodecs> = {
  mp4: {
    video: ['h264', 'hevc', 'av1', 'vp9', 'mpeg4'],
    audio: ['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac', 'alac'],
    subtitleEncoder: 'mov_text',
  },
  mov: {
    video: ['h264', 'hevc', 'prores', 'dnxhd', 'mpeg2video', 'mpeg4', 'dvvideo', 'mjpeg'],
    audio: ['aac', 'mp3', 'ac3', 'eac3', 'alac', ...pcm],
    subtitleEncoder: 'mov_text',
  },
  mkv: {
    video: ['h264', 'hevc', 'av1', 'vp9', 'vp8', 'prores', 'mpeg2video', 'mpeg4', 'ffv1', 'theora'],
    // biome-ignore format: a table
    audio: [
      'aac', 'mp3', 'mp2', 'ac3', 'eac3', 'dts', 'truehd', 'opus', 'vorbis', 'flac', 'alac',
      'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le',
    ],
    subtitleEncoder: undefined,
  },
  webm: { video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'], subtitleEncoder: 'webvtt' },
};

/** The formats that store this video or audio codec without encoding. */
export function formatsThatCopy(kind: 'video' | 'audio', codec: string): VideoFormat[] {
  const formats = Object.keys(copiedCodecs) as VideoFormat[];
  return formats.filter((format) => copiedCodecs[format][kind].includes(codec));
}

/**
 * Apple's players reject H.265 in MP4 with ffmpeg's default tag. `dvh1` keeps players without Dolby Vision from showing a
 * base layer that only Dolby Vision can (Dolby Vision Streams Within the ISO Base Media File Format).
 */
export function copiedVideoArguments(video: VideoStream, format: VideoFormat): string[] {
  const { codec, dolbyVision } = video;
  const isTagged = codec === 'hevc' && (format === 'mp4' || format === 'mov');
  return [
    ...['-c:v', 'copy'],
    ...(isTagged ? ['-tag:v', dolbyVision === 'incompatible' ? 'dvh1' : 'hvc1'] : []),
    // Keeps the MP4 boxes for Dolby Vision and for spherical video.
    ...['-strict', 'unofficial'],
    ...trueDurations(video),
    ...(format === 'mkv' || format === 'webm' ? trueRate(video) : []),
  ];
}

/** A filter of packets for a constant rate that is misstated: MP4 stores the duration of the last frame. */
function trueDurations({ misstatesRate, ...video }: VideoStream): string[] {
  if (!misstatesRate || video.framesPerSecond === undefined || isVariableRate(video)) return [];
  return ['-bsf:v', `setts=pts=PTS:dts=DTS:duration=1/(${exactRate(video.framesPerSecond).exact}*TB)`];
}

/** Matroska states a rate (DefaultDuration), for which ffmpeg takes that of the source. ffmpeg 7.0 ignores this option. */
function trueRate({ misstatesRate, ...video }: VideoStream): string[] {
  const { framesPerSecond: fps } = video;
  if (!misstatesRate || fps === undefined) return [];
  return ['-r:v', isVariableRate(video) ? fps.toFixed(3) : exactRate(fps).exact];
}
