import type { Size } from '../media/frame-size.ts';
import type { AudioStream, Probe, VideoStream } from '../media/probe/probe.ts';
import { lineOf } from './cost-table.ts';

/** The frames of a video between two steps of a command. */
export type VideoFlow = Size & {
  kind: 'video';
  framesPerSecond: number;
  seconds: number;
  isTenBit: boolean;
  /** Bits per pixel of the source as H.264 would need them: how much there is to encode. */
  density: number;
};

export type AudioFlow = { kind: 'audio'; seconds: number; channels: number };

export type Flow = VideoFlow | AudioFlow;

/** A stream of a file, and what its decoding takes. */
export type SourceStream = { flow: Flow; codec: string; megabitsPerSecond: number };

/** The streams of a file by their index. */
export type SourceFlows = ReadonlyMap<number, SourceStream>;

/** Megapixels of all frames of a flow. */
export function megapixelsOf(flow: Omit<VideoFlow, 'kind'>): number {
  return frameMegapixelsOf(flow) * flow.framesPerSecond * flow.seconds;
}

export function frameMegapixelsOf({ width, height }: Size): number {
  return (width * height) / 1e6;
}

/** How many bits H.264 needs for each bit of another codec at the same quality. */
// biome-ignore format: a table
const bitsAsH264: Record<string, number> = {
  hevc: 1.6, vp9: 1.5, av1: 2, mpeg2video: 0.5, mpeg4: 0.7, prores: 0.12, mjpeg: 0.12, dvvideo: 0.12,
  other: 1,
};

/** Unknown frame rate: assume a slow decode and encode. A video without a duration is one frame. */
const assumedFramesPerSecond = 60;

/** Assumed bit rate of each audio track, in kbit/s. */
const assumedAudioKbps = 128;

/** Density of a source whose size gives none, such as a still image. */
const assumedDensity = 0.1;

const densityRange = { min: 0.004, max: 2 } as const;

/** The streams of a probed file. The bits of the file belong to its video, less a usual rate for each audio track. */
export function sourceFlows({ streams, sizeBytes, durationSeconds }: Probe): SourceFlows {
  const audio = streams.filter((stream) => stream.kind === 'audio');
  const audioMegabits = (audio.length * assumedAudioKbps) / 1000;
  const videos = streams.filter((stream) => stream.kind === 'video' && !stream.isAttachedPicture);
  const flows = new Map<number, SourceStream>();
  for (const stream of streams) {
    if (stream.kind === 'audio') flows.set(stream.index, audioStream(stream, durationSeconds));
    if (stream.kind !== 'video') continue;
    const seconds = stream.durationSeconds ?? durationSeconds;
    const perSecond = seconds === undefined || seconds === 0 ? 0 : (sizeBytes * 8) / 1e6 / seconds - audioMegabits;
    flows.set(stream.index, videoStream(stream, seconds, Math.max(0, perSecond) / Math.max(1, videos.length)));
  }
  return flows;
}

function audioStream(
  { codec, channels, durationSeconds, bitsPerSecond = assumedAudioKbps * 1000 }: AudioStream,
  fileSeconds: number | undefined,
): SourceStream {
  const seconds = durationSeconds ?? fileSeconds ?? 0;
  return { flow: { kind: 'audio', seconds, channels }, codec, megabitsPerSecond: bitsPerSecond / 1e6 };
}

function videoStream(
  { codec, width, height, framesPerSecond, bitDepth }: VideoStream,
  seconds: number | undefined,
  megabitsPerSecond: number,
): SourceStream {
  const rate = framesPerSecond ?? (seconds === undefined ? 1 : assumedFramesPerSecond);
  const bitsPerPixel = (megabitsPerSecond * 1e6) / (width * height * rate);
  const density = bitsPerPixel === 0 ? assumedDensity : bitsPerPixel * lineOf(bitsAsH264, codec);
  const flow: VideoFlow = {
    kind: 'video',
    width,
    height,
    framesPerSecond: rate,
    seconds: seconds ?? 1,
    isTenBit: bitDepth > 8,
    density: Math.min(densityRange.max, Math.max(densityRange.min, density)),
  };
  return { flow, codec, megabitsPerSecond };
}
