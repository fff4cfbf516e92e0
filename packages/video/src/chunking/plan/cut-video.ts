import * as z from 'zod';
import { minKeyframeInterval } from '../../encoding/ladder/ladder.ts';
import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import { durationToleranceSeconds } from '../../media/frame-rate.ts';
import { isWithin } from '../../media/subtitles/webvtt.ts';
import { firstNotBefore } from '../../values.ts';
import {
  type FrameIndex,
  type FrameTimes,
  frameSeconds,
  type Keyframe,
  ticksToSeconds,
} from '../frame-index/frame-index.ts';
import type { KeptFrames } from '../frame-index/output-frame-index.ts';

/** A stretch of a video that is encoded on its own. Times count from the timeline origin of the source. */
export const chunkSchema = z.object({
  /** Number of the clip that it is of, if the output is that of several. */
  clip: z.int().min(0).optional(),
  frames: z.int().min(1),
  /** Presentation time of the first frame, in a clip from the start of the output. */
  startSeconds: z.number(),
  /** The same from the start of the clip. */
  clipSeconds: z.number().optional(),
  /** Until the next frame; for the last frame of the video, until its own end. */
  durationSeconds: z.number(),
  /** Input seek position, before the first frame by the preroll. Left out to read from the start. */
  seekSeconds: z.number().optional(),
  /** Between the first frame and the frame before it. Left out if there is none, and with `holdsFirstFrame`. */
  trimStartSeconds: z.number().optional(),
  /** The first frame starts before `startSeconds`, and is on screen then. */
  holdsFirstFrame: z.boolean().optional(),
  /** Between the last frame and the frame after it. Left out if there is none. */
  trimEndSeconds: z.number().optional(),
  /** Forced keyframes inside the chunk, each as the midpoint before its frame. Left out where the encoding forces none. */
  keyframeSeconds: z.array(z.number()).optional(),
  /** It ends with its clip, of which rounding may have dropped a frame. */
  endsClip: z.boolean().optional(),
  /** Share of the cost of the whole encoding, 0 to 1. */
  costShare: z.number(),
});

export type Chunk = z.output<typeof chunkSchema>;

export type CutOptions = {
  /** The index of the source, with the same keyframes, where the encoding changes the frames or their times. */
  source?: FrameIndex;
  /** When the frames of the index are shown; default: at its own times. */
  shown?: FrameTimes | undefined;
  /** The frames to encode; default: all. */
  kept?: Pick<KeptFrames, 'first' | 'end'> & Partial<Pick<KeptFrames, 'zeroTicks' | 'endTicks'>>;
  maxChunks: number;
  /** Format name of the source's container, as ffprobe reports it. */
  container: string;
  /** From one forced keyframe to the next, where the encoding forces any. */
  keyframeIntervalSeconds?: number | undefined;
  /** The end of the video that the container states, if it does. */
  statedEndSeconds?: number | undefined;
  /** Time ranges without a cut, ascending and disjoint. */
  uncut?: readonly { startSeconds: number; endSeconds: number }[] | undefined;
};

type CutPoint = {
  frame: number;
  /** Index of the last keyframe at or before that frame. */
  keyframe: number;
  /** Share of the cost of all frames that lies before the cut, 0 to 1. */
  costShare: number;
};

const minGapSeconds = 10e-6;

// Upper bound of the distance between the decoding and the presentation time of a frame.
const reorderSeconds = 1;

/**
 * Cuts a video into at most `maxChunks` chunks of about the same cost, at keyframes or, where the encoding forces
 * keyframes, at those. Returns fewer chunks where cut points are too far apart.
 */
export function cutVideo(
  index: FrameIndex,
  {
    source = index,
    shown = index,
    kept = { first: 0, end: index.pts.length } as Required<CutOptions>['kept'],
    maxChunks,
    container,
    keyframeIntervalSeconds,
    statedEndSeconds,
    uncut,
  }: CutOptions,
): Chunk[] {
  const bounds = selectBounds(index, { kept, maxChunks, keyframeIntervalSeconds, uncut });
  const wholeCost = costBetween(bounds.at(0), bounds.at(-1));
  const secondsOf = (ticks: number | undefined) =>
    ticks === undefined ? undefined : ticksToSeconds(ticks, index.timeBase);
  const [zeroSeconds, keptEndSeconds] = [secondsOf(kept.zeroTicks), secondsOf(kept.endTicks)];
  const starts = keyframeIntervalSeconds === undefined ? undefined : forcedKeyframes(index, keyframeIntervalSeconds);
  return bounds.slice(1).map((end, position) => {
    const start = bounds[position] ?? end;
    const frameStart = frameSeconds(index, start.frame);
    const holdsFirstFrame = zeroSeconds !== undefined && frameStart < zeroSeconds;
    const startSeconds = holdsFirstFrame ? zeroSeconds : frameSeconds(shown, start.frame);
    const [isFirstFrame, isLastFrame] = [start.frame === 0, end.frame === index.pts.length];
    const endSeconds = isLastFrame ? endSecondsOf(index, statedEndSeconds) : frameSeconds(shown, end.frame);
    return {
      frames: end.frame - start.frame,
      startSeconds,
      durationSeconds: (end.frame === kept.end ? (keptEndSeconds ?? endSeconds) : endSeconds) - startSeconds,
      seekSeconds: isFirstFrame ? undefined : prerollSeekSeconds(source, start, container),
      trimStartSeconds: isFirstFrame || holdsFirstFrame ? undefined : boundaryBefore(index, start.frame),
      ...(holdsFirstFrame && { holdsFirstFrame }),
      trimEndSeconds: isLastFrame ? undefined : boundaryBefore(index, end.frame),
      keyframeSeconds: starts
        ?.filter((frame) => frame > start.frame && frame < end.frame)
        .map((frame) => midpointBefore(index, frame)),
      costShare: costBetween(start, end) / wholeCost,
    };
  });
}

type CutRules = Pick<CutOptions, 'keyframeIntervalSeconds' | 'uncut'>;

/** The first frame of each chunk, and the frame after the last chunk. */
function selectBounds(
  index: FrameIndex,
  { kept: { first, end }, maxChunks, ...rules }: CutRules & Required<Pick<CutOptions, 'kept' | 'maxChunks'>>,
): CutPoint[] {
  const start = pointAt(index, first);
  const last = pointAt(index, end);
  const points = cutPoints(index, rules).filter(({ frame }) => frame > first && frame < end);
  const selected = new Set<CutPoint>();
  for (let chunk = 1; chunk < maxChunks; chunk += 1) {
    const share = start.costShare + (chunk / maxChunks) * costBetween(start, last);
    const nearest = nearestTo(share, points);
    if (nearest) selected.add(nearest);
  }
  return [start, ...selected, last];
}

function costBetween(start: CutPoint | undefined, end: CutPoint | undefined): number {
  return (end?.costShare ?? 1) - (start?.costShare ?? 0);
}

function nearestTo(costShare: number, points: readonly CutPoint[]): CutPoint | undefined {
  const distance = (point: CutPoint) => Math.abs(point.costShare - costShare);
  return points.reduce<CutPoint | undefined>(
    (best, point) => (best === undefined || distance(point) < distance(best) ? point : best),
    undefined,
  );
}

function cutPoints(index: FrameIndex, { keyframeIntervalSeconds, uncut = [] }: CutRules): CutPoint[] {
  const candidates =
    keyframeIntervalSeconds === undefined
      ? index.keyframes.map(({ frame }) => frame)
      : chunkableKeyframes(index, { starts: forcedKeyframes(index, keyframeIntervalSeconds), keyframeIntervalSeconds });
  return candidates
    .filter(
      (frame, point, all) =>
        frame !== all[point - 1] && canCutBefore(index, frame) && !isWithin(uncut, frameSeconds(index, frame)),
    )
    .map((frame) => pointAt(index, frame));
}

/** The cut before a frame. Bytes between two keyframes are spread evenly over their frames. */
function pointAt(index: FrameIndex, frame: number): CutPoint {
  const { keyframes, pts, sizeBytes } = index;
  let keyframe = lastKeyframeUntil(keyframes, frame);
  const before = keyframes[keyframe] ?? { frame: 0, bytesBefore: 0 };
  const after = keyframes[keyframe + 1] ?? { frame: pts.length, bytesBefore: sizeBytes };
  const share = (frame - before.frame) / (after.frame - before.frame);
  const bytesBefore = before.bytesBefore + share * (after.bytesBefore - before.bytesBefore);
  // Where one output frame shows several keyframes, a chunk reads from the first of them.
  while (keyframes[keyframe - 1]?.frame === before.frame) keyframe -= 1;
  return { frame, keyframe, costShare: costBefore(index, { frame, bytesBefore }) };
}

/** Index of the last keyframe at or before a frame; -1 if there is none. */
function lastKeyframeUntil(keyframes: readonly Keyframe[], frame: number): number {
  return firstNotBefore(keyframes.length, (at) => (keyframes[at]?.frame ?? 0) <= frame) - 1;
}

function canCutBefore(index: FrameIndex, frame: number): boolean {
  const { pts, timeBase } = index;
  if (frame === 0) return false;
  const gapTicks = (pts[frame] ?? 0) - precedingTime(index, frame);
  return ticksToSeconds(gapTicks, timeBase) >= minGapSeconds;
}

/** The mean of the shares of frames and bytes: each frame costs time, and complex frames cost more. */
function costBefore({ pts, sizeBytes }: FrameIndex, { frame, bytesBefore }: Keyframe): number {
  const share = frame / pts.length;
  return sizeBytes === 0 ? share : (share + bytesBefore / sizeBytes) / 2;
}

/**
 * The seek position two keyframes before the cut. One is not enough: with H.264 intra refresh a keyframe decodes whole
 * only after the next. Containers with a keyframe index seek back to the keyframe before the position; others may land
 * after one.
 */
function prerollSeekSeconds(
  index: FrameIndex,
  { keyframe }: Pick<CutPoint, 'keyframe'>,
  container: string,
): number | undefined {
  const frameOf = (keyframesBack: number) => index.keyframes[keyframe - keyframesBack]?.frame ?? 0;
  const seekSeconds = hasContinuousTimestamps(container)
    ? midpointBefore(index, frameOf(1))
    : frameSeconds(index, frameOf(2)) - reorderSeconds;
  return seekSeconds > 0 ? seekSeconds : undefined;
}

/** The bound of a `trim` filter before a frame. In a gap of one tick, the midpoint could round to either side. */
function boundaryBefore(index: FrameIndex, frame: number): number {
  const time = index.pts[frame] ?? 0;
  const preceding = precedingTime(index, frame);
  return ticksToSeconds(time - preceding < 2 ? time : (preceding + time) / 2, index.timeBase);
}

/** The time of the frame before a frame, in the source where frames were dropped. */
function precedingTime({ pts, precedingPts }: FrameIndex, frame: number): number {
  return precedingPts?.[frame] ?? pts[frame - 1] ?? 0;
}

/** Seconds half way between a frame and the frame before it; 0 for the first frame. */
function midpointBefore({ pts, timeBase }: FrameIndex, frame: number): number {
  if (frame === 0) return 0;
  return ticksToSeconds(((pts[frame - 1] ?? 0) + (pts[frame] ?? 0)) / 2, timeBase);
}

/**
 * The end of the last frame, as in a single pass. Without a stated duration it lasts as long as the frame before it, or
 * until the end of the stream if that is near.
 */
function endSecondsOf(index: FrameIndex, statedEndSeconds: number | undefined): number {
  const { pts, timeBase, lastFrameTicks } = index;
  const last = pts.length - 1;
  const ticks = lastFrameTicks ?? (last === 0 ? 0 : (pts[last] ?? 0) - (pts[last - 1] ?? 0));
  const end = frameSeconds(index, last) + ticksToSeconds(ticks, timeBase);
  const rest = (statedEndSeconds ?? 0) - end;
  return rest > 0 && rest <= durationToleranceSeconds(end) ? end + rest : end;
}

/** The frames that `keyframesEvery` forces to keyframes in a single pass. */
export function forcedKeyframes({ pts, timeBase }: FrameTimes, keyframeIntervalSeconds: number): number[] {
  const starts: number[] = [];
  const [firstPts = 0] = pts;
  // One multiplication per frame, as in ffmpeg: its result for a whole second may be a rounding error less.
  const tickSeconds = timeBase.numerator / timeBase.denominator;
  const minSeconds = minKeyframeInterval(keyframeIntervalSeconds);
  let lastSeconds = Number.NEGATIVE_INFINITY;
  for (const [frame, time] of pts.entries()) {
    const seconds = (time - firstPts) * tickSeconds;
    if (seconds < lastSeconds + minSeconds) continue;
    starts.push(frame);
    lastSeconds = seconds;
  }
  return starts;
}

// x264 starts with a VBV buffer that is 90 % full: an interval of 95 % of the length still keeps the bit rate.
const minFullIntervalShare = 0.95;

/** Where a chunk may start. A new encoder has a fuller VBV buffer: a full interval on both sides bounds the peak. */
export function chunkableKeyframes(
  source: FrameTimes,
  { starts, keyframeIntervalSeconds }: { starts: readonly number[]; keyframeIntervalSeconds: number },
): number[] {
  const minSeconds = minFullIntervalShare * keyframeIntervalSeconds;
  const lastFrame = source.pts.length - 1;
  return starts.filter((start, index) => {
    const previous = starts[index - 1];
    if (previous === undefined) return false;
    const startSeconds = frameSeconds(source, start);
    const endSeconds = frameSeconds(source, starts[index + 1] ?? lastFrame);
    return startSeconds - frameSeconds(source, previous) >= minSeconds && endSeconds - startSeconds >= minSeconds;
  });
}
