import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import { durationToleranceSeconds } from '../../media/outputs/verify-output.ts';
import { isWithin } from '../../media/subtitles/overlapping-cues.ts';
import { type FrameIndex, frameSeconds, type Keyframe } from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/timeline.ts';
import { chunkableKeyframes, forcedKeyframes } from './forced-keyframes.ts';

/** A stretch of a video that is encoded on its own. Times count from the timeline origin of the source. */
export type Chunk = {
  frames: number;
  /** Presentation time of the first frame. */
  startSeconds: number;
  /** Until the first frame of the next chunk; for the last chunk, until its own end. */
  durationSeconds: number;
  /** Input seek position, before the first frame by the preroll. Left out to read from the start. */
  seekSeconds?: number;
  /** Between the first frame and the frame before it. Left out for the first chunk. */
  trimStartSeconds?: number;
  /** Between the last frame and the frame after it. Left out for the last chunk. */
  trimEndSeconds?: number;
  /**
   * Forced keyframes inside the chunk, each given as the midpoint before its frame. Left out where the encoding forces
   * none.
   */
  keyframeSeconds?: number[];
  /** Share of the cost of the whole encoding, 0 to 1. */
  costShare: number;
};

export type CutOptions = {
  /** The index of the source, with the same keyframes, where the encoding changes the frames or their times. */
  source?: FrameIndex;
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

/** A frame before which the video may be cut. */
type CutPoint = {
  frame: number;
  /** Index of the last keyframe at or before that frame. */
  keyframe: number;
  /** Share of the cost that lies before the cut, 0 to 1. */
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
  { source = index, maxChunks, container, keyframeIntervalSeconds, statedEndSeconds, uncut }: CutOptions,
): Chunk[] {
  const cuts = selectCutPoints(index, { maxChunks, keyframeIntervalSeconds, uncut });
  const starts =
    keyframeIntervalSeconds === undefined ? undefined : forcedKeyframes(index, keyframeIntervalSeconds);
  return Array.from({ length: cuts.length + 1 }, (_, position) => {
    const [cut, nextCut] = [cuts[position - 1], cuts[position]];
    const firstFrame = cut?.frame ?? 0;
    const endFrame = nextCut?.frame ?? index.pts.length;
    const startSeconds = frameSeconds(index, firstFrame);
    return {
      frames: endFrame - firstFrame,
      startSeconds,
      durationSeconds:
        (nextCut ? frameSeconds(index, endFrame) : endSecondsOf(index, statedEndSeconds)) - startSeconds,
      seekSeconds: cut && prerollSeekSeconds(source, cut, container),
      trimStartSeconds: cut && boundaryBefore(index, cut.frame),
      trimEndSeconds: nextCut && boundaryBefore(index, nextCut.frame),
      keyframeSeconds: starts
        ?.filter((frame) => frame > firstFrame && frame < endFrame)
        .map((frame) => midpointBefore(index, frame)),
      costShare: (nextCut?.costShare ?? 1) - (cut?.costShare ?? 0),
    };
  });
}

type CutRules = Pick<CutOptions, 'keyframeIntervalSeconds' | 'uncut'>;

function selectCutPoints(
  index: FrameIndex,
  { maxChunks, ...rules }: CutRules & Pick<CutOptions, 'maxChunks'>,
): CutPoint[] {
  const points = cutPoints(index, rules);
  const selected = new Set<CutPoint>();
  for (let chunk = 1; chunk < maxChunks; chunk += 1) {
    const nearest = nearestTo(chunk / maxChunks, points);
    if (nearest) selected.add(nearest);
  }
  return [...selected];
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
      ? index.keyframes.map((entry, keyframe) => ({ ...entry, keyframe }))
      : forcedCandidates(index, keyframeIntervalSeconds);
  return candidates
    .filter(
      ({ frame }, point, all) =>
        frame !== all[point - 1]?.frame &&
        canCutBefore(index, frame) &&
        !isWithin(uncut, frameSeconds(index, frame)),
    )
    .map(({ frame, keyframe, bytesBefore }) => ({
      frame,
      keyframe,
      costShare: costBefore(index, { frame, bytesBefore }),
    }));
}

/** Forced keyframes as cut points. Bytes between two keyframes are spread evenly over their frames. */
function forcedCandidates(
  index: FrameIndex,
  keyframeIntervalSeconds: number,
): (Keyframe & Pick<CutPoint, 'keyframe'>)[] {
  const { keyframes, pts, sizeBytes } = index;
  const starts = forcedKeyframes(index, keyframeIntervalSeconds);
  let keyframe = 0;
  return chunkableKeyframes(index, { starts, keyframeIntervalSeconds }).flatMap((frame) => {
    while ((keyframes[keyframe + 1]?.frame ?? Number.POSITIVE_INFINITY) <= frame) keyframe += 1;
    const before = keyframes[keyframe];
    if (before === undefined) return [];
    const after = keyframes[keyframe + 1] ?? { frame: pts.length, bytesBefore: sizeBytes };
    const share = (frame - before.frame) / (after.frame - before.frame);
    const bytesBefore = before.bytesBefore + share * (after.bytesBefore - before.bytesBefore);
    return [{ frame, keyframe, bytesBefore }];
  });
}

function canCutBefore({ pts, timeBase }: FrameIndex, frame: number): boolean {
  if (frame === 0) return false;
  const gapTicks = (pts[frame] ?? 0) - (pts[frame - 1] ?? 0);
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
  const gapTicks = (index.pts[frame] ?? 0) - (index.pts[frame - 1] ?? 0);
  return gapTicks < 2 ? frameSeconds(index, frame) : midpointBefore(index, frame);
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
