import { type Encoding, keyframeIntervalOf, outputSizes } from '../../encoding/encoding.ts';
import { statedEndSeconds } from '../../encoding/video/last-frame.ts';
import type { Speed } from '../../jobs/speeds.ts';
import { defaultPreset, type Preset, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import { frameSeconds } from '../frame-index/frame-index.ts';
import { type ChunkSettings, maxChunks } from '../settings.ts';
import { type Chunk, cutVideo } from './cut-video.ts';
import { type ChunkingSource, encodingSinglePassReason, sourceRules } from './single-pass-rules.ts';

/** The chunks, or none for a single pass, and a sentence for the job's owner that says why. */
export type ChunkingDecision =
  | { chunks?: never; reason: string }
  | { chunks: readonly Chunk[]; reason: string };

export type ChunkingPolicy = {
  settings: Pick<ChunkSettings, 'targetChunkSeconds' | 'maxSinglePassSeconds'>;
  speed: Speed;
  /** CPUs that a single pass may use. */
  cpuCount: number;
};

// Beyond this share of the cost, the largest chunk takes about as long as a single pass.
const maxCostShare = 0.75;

/** Decides on chunks or a single pass, and where to cut. Returns 200 chunks at most. */
export function planChunks(
  source: ChunkingSource,
  encoding: Encoding,
  policy: ChunkingPolicy,
): ChunkingDecision {
  const { index, probe, video } = source;
  for (const rule of Object.values(sourceRules)) {
    const reason = rule(source);
    if (reason !== undefined) return { reason: singlePassBecause(reason) };
  }
  const frames = index.pts.length;
  const durationSeconds = frameSeconds(index, frames - 1) - frameSeconds(index, 0);
  const reason = singlePassReason(encoding, { durationSeconds, frames }, policy);
  if (reason !== undefined) return { reason };
  const count = Math.min(maxChunks, Math.floor(durationSeconds / policy.settings.targetChunkSeconds));
  const chunks = cutVideo(index, {
    maxChunks: count,
    container: probe.container,
    keyframeIntervalSeconds: keyframeIntervalOf(encoding),
    statedEndSeconds: statedEndSeconds(probe, video),
  });
  const largestShare = Math.max(...chunks.map(({ costShare }) => costShare));
  if (largestShare > maxCostShare) {
    const percent = Math.round(largestShare * 100);
    const why = `its keyframes are too few: one chunk would hold ${percent} % of the work`;
    return { reason: singlePassBecause(why) };
  }
  return { chunks, reason: chunksBecause(chunks, policy.speed) };
}

/** Why an encoding takes a single pass, by its settings, duration and estimated cost; undefined if chunks are possible. */
export function singlePassReason(
  encoding: Encoding,
  { durationSeconds, frames }: { durationSeconds: number; frames: number },
  { settings, speed, cpuCount }: ChunkingPolicy,
): string | undefined {
  const encodingReason = encodingSinglePassReason(encoding);
  if (encodingReason !== undefined) return singlePassBecause(encodingReason);
  const minSeconds = 2 * settings.targetChunkSeconds;
  if (durationSeconds < minSeconds) {
    const why = `it lasts ${durationSeconds.toFixed(1)} s; only videos of at least ${minSeconds} s are split into chunks`;
    return singlePassBecause(why);
  }
  const expectedSeconds = estimateCpuSeconds(frames, encoding) / cpuCount;
  if (speed === 'fast' || expectedSeconds > settings.maxSinglePassSeconds) return undefined;
  return singlePassBecause(
    `it takes about ${Math.ceil(expectedSeconds)} s, and standard speed allows ${settings.maxSinglePassSeconds} s`,
  );
}

/** The sentence of a job's `chunking.reason` for a single pass. */
export function singlePassBecause(why: string): string {
  return `Encoded in a single pass: ${why}`;
}

function chunksBecause(chunks: readonly Chunk[], speed: Speed): string {
  const durations = chunks.map(({ durationSeconds }) => durationSeconds);
  const [minSeconds, maxSeconds] = [Math.min(...durations).toFixed(1), Math.max(...durations).toFixed(1)];
  const why = speed === 'fast' ? 'the job asks for speed' : 'a single pass would take too long';
  return `Encoded in ${chunks.length} chunks of ${minSeconds} to ${maxSeconds} s in parallel: ${why}`;
}

/** CPU seconds per megapixel with the preset veryfast, decoding included. Measured on 720p video. */
const secondsPerMegapixel: Record<VideoCodec, number> = { h264: 0.023, h265: 0.05, vp9: 0.032, av1: 0.031 };

/** Time of an x264 preset relative to `veryfast`. */
const presetFactors: Record<Preset, number> = {
  ultrafast: 0.5,
  superfast: 0.8,
  veryfast: 1,
  faster: 1.4,
  fast: 1.6,
  medium: 1.9,
  slow: 3,
  slower: 6,
};

/** Estimated CPU seconds to encode this number of frames in all renditions. */
export function estimateCpuSeconds(frames: number, encoding: Encoding): number {
  const { codec, preset = defaultPreset[codec] } = encoding;
  const factor = presetFactors[preset];
  const pixels = outputSizes(encoding).reduce((sum, { width, height }) => sum + width * height, 0);
  return (frames * pixels * secondsPerMegapixel[codec] * factor) / 1e6;
}
