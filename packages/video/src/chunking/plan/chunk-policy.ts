import type { PlanCost } from '../../cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, wallSeconds } from '../../cost-model/processors.ts';
import {
  type Encoding,
  encodingsByCodec,
  isLadderEncoding,
  rateLimitOf,
  targetOf,
  type VideoEncoding,
} from '../../encoding/encoding.ts';
import { type ChunkSettings, maxChunks, minChunkSeconds, minLimitedChunkSeconds, type Speed } from '../settings.ts';

/** A rule of what needs a single pass: why it does, or undefined. */
export type Rule<Subject> = (subject: Subject) => string | undefined;

/** Reasons why an encoding into one rendition needs a single pass. Each rule returns its reason, or undefined. */
export const encodingRules = {
  padsStart({ finalFilters = [], stages = [] }) {
    const all = [...finalFilters, ...stages.flatMap((stage) => stage.finalFilters ?? [])];
    return all.length === 0 ? undefined : 'its first frame is shown from the start, before its time';
  },

  /** Matroska and WebM store transparency beside the frames, which the join does not copy. */
  keepsTransparency({ transform: { background } }) {
    return background === 'keep' ? 'its transparency is kept' : undefined;
  },

  changesRateOfRange({ range, transform: { framesPerSecond, tempo } }) {
    if (range === undefined || (framesPerSecond ?? tempo) === undefined) return undefined;
    return 'a time range of the source is kept at another frame rate';
  },

  movesSubtitles({ subtitles, stages, range, transform: { tempo } }) {
    if (subtitles === undefined || stages === undefined || (range ?? tempo) === undefined) return undefined;
    return 'the times of its subtitles are not those of the source';
  },
} as const satisfies Record<string, Rule<VideoEncoding>>;

/**
 * The first reason why an encoding needs a single pass, whatever its source; undefined if there is none. The bit rate limit
 * of a ladder is none: it applies per segment, and a chunk is whole segments.
 */
export function encodingSinglePassReason(encoding: Encoding): string | undefined {
  const reasons = isLadderEncoding(encoding) ? [] : Object.values(encodingRules).map((rule) => rule(encoding));
  const reason = reasons.find((each) => each !== undefined);
  if (reason !== undefined) return reason;
  // The file exists on the planning worker only.
  if (encoding.audioSource) return 'the audio format changes, so the audio is encoded from an intermediate file';
  // Chunks are cut at frames of the source.
  return encoding.segmenting?.heldEnd ? 'its last frame is shown until the audio ends' : undefined;
}

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

/** Why an encoding takes a single pass, by settings, duration and work. Above half of the time left it is slow. */
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

/** The seconds of a source that an encoding reads. */
export function encodedSeconds(encoding: Encoding, sourceSeconds: number): number {
  const { start, end } = encoding.range ?? { start: 0, end: sourceSeconds };
  return Math.min(end, sourceSeconds) - start;
}

/** The sentence of a job's `chunking.reason` for a single pass. */
export function singlePassBecause(why: string): string {
  return `Encoded in a single pass: ${why}`;
}
