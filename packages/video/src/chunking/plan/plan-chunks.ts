import type { PlanCost } from '../../cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, spread, wallSeconds } from '../../cost-model/processors.ts';
import { type Encoding, encodingsByCodec, rangeOf, subtitlesOf } from '../../encoding/encoding.ts';
import type { Speed } from '../../encoding/speeds.ts';
import { expectedFrames } from '../../media/damage.ts';
import { overlappingCues, readCues } from '../../media/subtitles/webvtt.ts';
import type { FrameTimes } from '../frame-index/frame-index.ts';
import type { TimelineOrigin } from '../frame-index/timeline.ts';
import { type ChunkSettings, maxChunks, maxTaskSeconds, minChunkSeconds } from '../settings.ts';
import type { ChunkedWork } from './chunk-plan.ts';
import type { ChunkedClip } from './chunked-clips.ts';
import { cutSource, joinClips, sourceSeconds, type VideoInChunks, type VideoToCut } from './cut-clips.ts';
import type { Chunk } from './cut-video.ts';
import { losesRate, minLimitedChunkSeconds, rateLimitOf, targetOf } from './rate-target.ts';
import { encodingSinglePassReason, endSinglePassReason, sourceRules } from './single-pass-rules.ts';

/** The chunks, or none for a single pass, and the reason as a sentence for the job's owner. */
export type ChunkingDecision =
  | { chunks?: never; reason: string }
  | {
      chunks: readonly Chunk[];
      /** Of the first source. */
      timelineOrigin: TimelineOrigin;
      /** Of each source. */
      clips: readonly Pick<ChunkedClip, 'timelineOrigin' | 'frames'>[];
      /** The frames of the output. */
      frameTimes: FrameTimes;
      sourceFrames?: ChunkedWork['sourceFrames'];
      reason: string;
    };

/** The estimated work of an encoding. Of several codecs, that of the chunks is in the one that takes the most. */
export type EncodingWork = {
  /** Of all chunks, on the machine that was calibrated. */
  cpuSeconds: number;
  /** Of all chunks on this worker, one after the other. */
  chunksSeconds: number;
  /** Of a single pass on this worker. */
  expectedSeconds: number;
  /** Of the measurements that come before the chunks, on this worker. 0 or left out once they are done. */
  measuringSeconds?: number;
};

export function workOf(cost: PlanCost, processors: Processors): EncodingWork {
  const { cpuSeconds, finalCpuSeconds, codecCpuSeconds } = cost;
  const seconds = expectedSeconds(cost, processors);
  const finalSeconds = seconds * Math.max(1, finalCpuSeconds / cpuSeconds);
  return {
    cpuSeconds: codecCpuSeconds,
    chunksSeconds: (finalSeconds * codecCpuSeconds) / finalCpuSeconds,
    expectedSeconds: seconds,
    measuringSeconds: wallSeconds(Math.max(0, cpuSeconds - finalCpuSeconds), processors),
  };
}

/** Up to so many chunks of a job at once, they are not cut shorter: a stage with few functions shares them among jobs. */
const sharedExecutions = 40;

export type ChunkLengthSettings = Pick<ChunkSettings, 'targetChunkSeconds' | 'chunkCpuSeconds' | 'maxParallelChunks'>;

export type WorkToCut = {
  durationSeconds: number;
  /** Estimated processor seconds in the codec that takes the most. */
  cpuSeconds: number;
  /** A chunk is a task in each of them. */
  codecs: number;
  /** Its chunks keep a maximum bit rate. */
  hasRate: boolean;
};

/**
 * The length of a chunk in seconds: that of the settings, or shorter where its work would exceed the budget of a chunk. On a
 * stage that runs many chunks of a job at once it is shorter too, so that all of them run at once: down to half of that length
 * and half of that budget.
 */
export function chunkLength(
  { durationSeconds, cpuSeconds, codecs, hasRate }: WorkToCut,
  { targetChunkSeconds, chunkCpuSeconds, maxParallelChunks }: ChunkLengthSettings,
): number {
  const withinBudget = (chunkCpuSeconds * durationSeconds) / cpuSeconds;
  const usual = hasRate
    ? Math.max(minLimitedChunkSeconds, Math.min(targetChunkSeconds, withinBudget))
    : Math.min(targetChunkSeconds, Math.max(minChunkSeconds, withinBudget));
  if (maxParallelChunks <= sharedExecutions) return usual;
  const allAtOnce = (durationSeconds * codecs) / maxParallelChunks;
  const shortest = Math.max(targetChunkSeconds, withinBudget) / 2;
  const minSeconds = hasRate ? minLimitedChunkSeconds : minChunkSeconds;
  return Math.min(usual, Math.max(minSeconds, shortest, allAtOnce));
}

export type ChunkingPolicy = {
  settings: ChunkLengthSettings & Pick<ChunkSettings, 'maxSinglePassSeconds'>;
  speed: Speed;
  work: EncodingWork;
  /** Wall seconds until the deadline of this worker. */
  remainingSeconds: number;
};

// Beyond this share of the cost, the largest chunk takes about as long as a single pass.
const maxCostShare = 0.75;

/** Decides on chunks or a single pass of one source, or of several that follow one another. Returns 200 chunks at most. */
export function planChunks(videos: readonly VideoToCut[], policy: ChunkingPolicy): ChunkingDecision {
  const [first] = videos;
  if (first === undefined) throw new TypeError('Expected at least one source');
  const sourceReason = firstReason(videos, (video) =>
    Object.values(sourceRules)
      .map((rule) => rule(video))
      .find((reason) => reason !== undefined),
  );
  if (sourceReason !== undefined) return { reason: singlePassBecause(sourceReason) };
  const durationSeconds = videos.reduce((sum, { index }) => sum + sourceSeconds(index), 0);
  const { encoding } = first;
  const reason = singlePassReason(encoding, durationSeconds, policy);
  if (reason !== undefined) return { reason };
  const probeReason = endSinglePassReason(first, encoding);
  if (probeReason !== undefined) return { reason: singlePassBecause(probeReason) };
  const count = chunkCount(encoding, encodedSeconds(encoding, durationSeconds), policy);
  const uncut = overlappingCues(readCues(subtitlesOf(encoding)?.text ?? ''));
  const cut: (VideoInChunks & { costShare: number })[] = [];
  for (const [input, video] of videos.entries()) {
    const inChunks = cutSource(video, { maxChunks: shareOfChunks(count, video, videos.length), uncut, input });
    if (inChunks === undefined) return { reason: singlePassBecause('its time range has no frames') };
    cut.push({ ...inChunks, costShare: video.clip?.costShare ?? 1 });
  }
  const { chunks, frameTimes } = first.clip === undefined ? onlyVideo(cut) : joinClips(cut);
  if (encoding.frameGrid && hasEqualTimes(frameTimes)) {
    return { reason: singlePassBecause('several of its frames have the same time at its constant rate') };
  }
  const largestShare = Math.max(...chunks.map(({ costShare }) => costShare));
  if (largestShare > maxCostShare) {
    const percent = Math.round(largestShare * 100);
    const too = uncut.length === 0 ? 'too few' : 'too few outside of subtitles that overlap';
    const why = `its keyframes are ${too}: one chunk would hold ${percent} % of the work`;
    return { reason: singlePassBecause(why) };
  }
  if (losesRate(encoding, chunks)) {
    return { reason: singlePassBecause('its chunks would be too short for a maximum bit rate') };
  }
  const maxSeconds = largestShare * policy.work.chunksSeconds * spread;
  if (maxSeconds > maxTaskSeconds) {
    const why = `one of ${chunks.length} chunks would take up to ${Math.ceil(maxSeconds)} s, and a function has ${maxTaskSeconds} s`;
    return { reason: singlePassBecause(why) };
  }
  return {
    chunks,
    timelineOrigin: first.index.timelineOrigin,
    clips: cut.map(({ pts, timelineOrigin }) => ({ timelineOrigin, frames: pts.length })),
    frameTimes,
    ...(rangeOf(encoding) === undefined && { sourceFrames: countFrames(videos) }),
    reason: chunksBecause(chunks, policy.speed),
  };
}

function countFrames(videos: readonly VideoToCut[]): NonNullable<ChunkedWork['sourceFrames']> {
  const sumOf = (count: (video: VideoToCut) => number) => videos.reduce((sum, video) => sum + count(video), 0);
  return {
    indexed: sumOf(({ index }) => index.pts.length),
    stated: sumOf(({ probe, index }) => Math.max(index.pts.length, expectedFrames(probe))),
  };
}

/** Frames may be closer to one another than the container rounds the times of a constant rate. */
function hasEqualTimes({ pts }: FrameTimes): boolean {
  return pts.some((time, frame) => time === pts[frame - 1]);
}

/** The first reason among several sources, with the name of its input if there are several. */
function firstReason(
  videos: readonly VideoToCut[],
  reasonOf: (video: VideoToCut) => string | undefined,
): string | undefined {
  for (const [input, video] of videos.entries()) {
    const reason = reasonOf(video);
    if (reason !== undefined) return videos.length === 1 ? reason : `inputs.${input}: ${reason}`;
  }
  return undefined;
}

/** Each clip has at least one chunk. */
function shareOfChunks(count: number, { clip }: VideoToCut, clips: number): number {
  if (clip === undefined) return count;
  return Math.max(1, Math.round(clip.costShare * Math.min(count, maxChunks - clips)));
}

function onlyVideo([video]: readonly VideoInChunks[]): { chunks: Chunk[]; frameTimes: FrameTimes } {
  if (video === undefined) throw new TypeError('Expected a source');
  const { chunks, timeBase, pts } = video;
  return { chunks, frameTimes: { timeBase, pts } };
}

/** The number of chunks that a video of this duration is cut into, if its keyframes allow it. */
export function chunkCount(encoding: Encoding, durationSeconds: number, policy: ChunkingPolicy): number {
  return Math.min(maxChunks, Math.floor(durationSeconds / chunkSecondsOf(encoding, durationSeconds, policy)));
}

function chunkSecondsOf(
  encoding: Encoding,
  durationSeconds: number,
  { settings, work: { cpuSeconds } }: ChunkingPolicy,
): number {
  const codecs = encodingsByCodec(encoding).length;
  const hasRate = rateLimitOf(encoding) !== undefined || targetOf(encoding) !== undefined;
  return chunkLength({ durationSeconds, cpuSeconds, codecs, hasRate }, settings);
}

/**
 * Why an encoding takes a single pass, by its settings, duration and estimated work; undefined if chunks are possible.
 * A single pass is slow if it would take over half of the time that is left.
 */
export function singlePassReason(
  encoding: Encoding,
  sourceSeconds: number,
  policy: ChunkingPolicy,
): string | undefined {
  const encodingReason = encodingSinglePassReason(encoding);
  if (encodingReason !== undefined) return singlePassBecause(encodingReason);
  const { settings, speed, work, remainingSeconds } = policy;
  const durationSeconds = encodedSeconds(encoding, sourceSeconds);
  const minSeconds = 2 * chunkSecondsOf(encoding, durationSeconds, policy);
  if (durationSeconds < minSeconds) {
    const why = `it lasts ${durationSeconds.toFixed(1)} s; only videos of at least ${Math.ceil(minSeconds)} s are split into chunks`;
    return singlePassBecause(why);
  }
  const { measuringSeconds = 0 } = work;
  // Not the p90: a measurement that takes too long after all costs less than a rejection.
  if (measuringSeconds > Math.max(0, remainingSeconds)) {
    const why = `its measurements before the chunks take about ${Math.ceil(measuringSeconds)} s, and a function has ${Math.floor(remainingSeconds)} s`;
    return singlePassBecause(why);
  }
  const allowedSeconds = Math.min(settings.maxSinglePassSeconds, remainingSeconds / 2);
  if (speed === 'fast' || work.expectedSeconds > allowedSeconds) return undefined;
  return singlePassBecause(
    `it takes about ${Math.ceil(work.expectedSeconds)} s, and standard speed allows ${Math.floor(allowedSeconds)} s`,
  );
}

function encodedSeconds(encoding: Encoding, sourceSeconds: number): number {
  const { start, end } = rangeOf(encoding) ?? { start: 0, end: sourceSeconds };
  return Math.min(end, sourceSeconds) - start;
}

/** The sentence of a job's `chunking.reason` for a single pass. */
export function singlePassBecause(why: string): string {
  return `Encoded in a single pass: ${why}`;
}

function chunksBecause(chunks: readonly Chunk[], speed: Speed): string {
  const durations = chunks.map(({ durationSeconds }) => durationSeconds);
  const [minSeconds, maxSeconds] = [Math.min(...durations).toFixed(1), Math.max(...durations).toFixed(1)];
  const why = speed === 'fast' ? 'the job requests speed' : 'a single pass would take too long';
  return `Encoded in ${chunks.length} chunks of ${minSeconds} to ${maxSeconds} s in parallel: ${why}`;
}
