import { spread } from '../../cost-model/processors.ts';
import { expectedFrames } from '../../media/damage.ts';
import { overlappingCues, readCues } from '../../media/subtitles/webvtt.ts';
import type { FrameTimes, TimelineOrigin } from '../frame-index/frame-index.ts';
import { maxChunks, maxTaskSeconds, type Speed } from '../settings.ts';
import type { ChunkedWork } from './chunk-plan.ts';
import {
  type ChunkingPolicy,
  chunkCount,
  encodedSeconds,
  singlePassBecause,
  singlePassReason,
} from './chunk-policy.ts';
import {
  type ChunkedClip,
  cutSource,
  joinClips,
  sourceSeconds,
  type VideoInChunks,
  type VideoToCut,
} from './chunked-clips.ts';
import type { Chunk } from './cut-video.ts';
import { losesRate } from './rate-target.ts';
import { endSinglePassReason, sourceRules } from './single-pass-rules.ts';

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

// Beyond this share of the cost, the largest chunk takes about as long as a single pass.
const maxCostShare = 0.75;

/** Decides on chunks or a single pass of one source, or of several that follow one another. Returns 200 chunks at most. */
export function planChunks(videos: readonly VideoToCut[], policy: ChunkingPolicy): ChunkingDecision {
  const [first] = videos;
  if (first === undefined) throw new TypeError('Expected at least one source');
  for (const [input, video] of videos.entries()) {
    const reason = Object.values(sourceRules)
      .map((rule) => rule(video))
      .find((each) => each !== undefined);
    const name = videos.length === 1 ? '' : `inputs.${input}: `;
    if (reason !== undefined) return { reason: singlePassBecause(`${name}${reason}`) };
  }
  const durationSeconds = videos.reduce((sum, { index }) => sum + sourceSeconds(index), 0);
  const { encoding } = first;
  const reason = singlePassReason(encoding, durationSeconds, policy);
  if (reason !== undefined) return { reason };
  const probeReason = endSinglePassReason(first, encoding);
  if (probeReason !== undefined) return { reason: singlePassBecause(probeReason) };
  const count = chunkCount(encoding, encodedSeconds(encoding, durationSeconds), policy);
  const uncut = overlappingCues(readCues(encoding.subtitles?.text ?? ''));
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
    ...(encoding.range === undefined && { sourceFrames: countFrames(videos) }),
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

function chunksBecause(chunks: readonly Chunk[], speed: Speed): string {
  const durations = chunks.map(({ durationSeconds }) => durationSeconds);
  const [minSeconds, maxSeconds] = [Math.min(...durations).toFixed(1), Math.max(...durations).toFixed(1)];
  const why = speed === 'fast' ? 'the job requests speed' : 'a single pass would take too long';
  return `Encoded in ${chunks.length} chunks of ${minSeconds} to ${maxSeconds} s in parallel: ${why}`;
}
