import { decodableCodecs } from '../codecs/input-decoders.ts';
import { type AudioStream, type Probe, plainVideo, type VideoStream } from './probe.ts';

/** The stated properties of a file that is not measured. */
export type KnownMedia = {
  width: number;
  height: number;
  /** Undefined for a still image. */
  durationSeconds?: number | undefined;
  framesPerSecond?: number | undefined;
  sizeBytes?: number | undefined;
  /** ffprobe's name. Another one, such as that of a browser, counts as the usual codec. */
  codec?: string | undefined;
  /** By default a video has stereo audio. */
  hasAudio?: boolean | undefined;
  hdr?: boolean | undefined;
};

/** Bits of each pixel of an H.264 video as cameras and services write it. */
const usualBitsPerPixel = 0.1;
const audioBitsPerSecond = 128_000;
const stillBitsPerPixel = 2;

/** A probe of a video, or of a still image, from the few properties that are known of it. */
export function assumedProbe({ framesPerSecond = 30, ...media }: KnownMedia): Probe {
  const { width, height, durationSeconds, hasAudio = true, hdr = false } = media;
  const isStill = durationSeconds === undefined;
  const isSilent = isStill || !hasAudio;
  const usualCodec = isStill ? 'mjpeg' : 'h264';
  const codec = media.codec ?? usualCodec;
  const pixels = width * height;
  const bits = isStill
    ? pixels * stillBitsPerPixel
    : durationSeconds * (pixels * framesPerSecond * usualBitsPerPixel + (isSilent ? 0 : audioBitsPerSecond));
  const video: VideoStream = {
    ...plainVideo,
    codec: decodableCodecs.has(codec) ? codec : usualCodec,
    durationSeconds,
    width,
    height,
    ...(isStill ? {} : { framesPerSecond, baseFramesPerSecond: framesPerSecond }),
    ...(hdr ? { bitDepth: 10, hdrTransfer: 'pq', pixelFormat: 'yuv420p10le' } : { pixelFormat: 'yuv420p' }),
  };
  const timing = { isDefault: true, startSeconds: 0, durationSeconds };
  const audio: AudioStream = { kind: 'audio', index: 1, codec: 'aac', ...timing, channels: 2, sampleRateHz: 48_000 };
  return {
    container: isStill ? 'jpeg_pipe' : 'mov,mp4,m4a,3gp,3g2,mj2',
    sizeBytes: media.sizeBytes ?? Math.round(bits / 8),
    durationSeconds,
    streams: isSilent ? [video] : [video, audio],
  };
}
