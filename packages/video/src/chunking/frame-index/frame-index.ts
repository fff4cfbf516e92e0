import * as z from 'zod';
import type { TimelineOrigin } from './timeline.ts';
import { secondsToTicks, type TimeBase, ticksToSeconds } from './timeline.ts';

/**
 * Frame times and keyframes of one video stream, read from its packets without decoding. Eight bytes per frame: 69 MB
 * for the longest input at the highest frame rate that the default limits accept.
 */
export type FrameIndex = FrameTimes & {
  timelineOrigin: TimelineOrigin;
  /** In ascending order, at least `minKeyframeGapSeconds` apart. */
  keyframes: Keyframe[];
  /** Duration of the last frame, if the container states it. */
  lastFrameTicks?: number | undefined;
  /** Sum of all packets. */
  sizeBytes: number;
  /** Hash of the decoder configuration; left out where the codec has none. */
  extradataHash?: string;
  anomalies: FrameAnomalies;
};

export type FrameTimes = {
  timeBase: TimeBase;
  /** Presentation timestamps in ascending order, in ticks after the timeline origin. */
  pts: Float64Array;
  /** For each frame, the time of the frame before it in the source. Set where frames in between were dropped. */
  precedingPts?: Float64Array;
};

/** A keyframe that is shown. */
export type Keyframe = {
  /** Index into `pts`. */
  frame: number;
  bytesBefore: number;
};

/** Reasons why the packets' timestamps may differ from what a decoder shows. */
export type FrameAnomalies = {
  missingPts: number;
  corruptPackets: number;
  /** Packets beyond those that are indexed. */
  unreadPackets: number;
  /** Frames before the first keyframe, in decoding or in presentation order. */
  framesBeforeKeyframe: number;
  /** Whether a keyframe has a timestamp no later than that of the keyframe before it. */
  hasUnorderedKeyframes: boolean;
};

/** Minimum distance of keyframes in the index, which skips others: in intra-only codecs each frame is a keyframe. */
export const minKeyframeGapSeconds = 0.5;

/** Seconds from the timeline origin until a frame is shown. */
export function frameSeconds({ pts, timeBase }: FrameTimes, frame: number): number {
  return ticksToSeconds(pts[frame] ?? Number.NaN, timeBase);
}

/** Frame times in run-length form: the first PTS, then how many frames follow at which distance. */
export const storedFrameTimesSchema = z.object({
  timeBase: z.object({ numerator: z.int().min(1), denominator: z.int().min(1) }),
  firstPts: z.int(),
  deltas: z.array(z.tuple([z.int(), z.int().min(1)])),
});

export type StoredFrameTimes = z.output<typeof storedFrameTimesSchema>;

/** Encodes frame times for the chunk plan. A constant frame rate is one delta. */
export function encodeFrameTimes({ timeBase, pts }: FrameTimes): StoredFrameTimes {
  const deltas: [ticks: number, count: number][] = [];
  for (let frame = 1; frame < pts.length; frame += 1) {
    const ticks = (pts[frame] ?? 0) - (pts[frame - 1] ?? 0);
    const last = deltas.at(-1);
    if (last?.[0] === ticks) last[1] += 1;
    else deltas.push([ticks, 1]);
  }
  return { timeBase, firstPts: pts[0] ?? 0, deltas };
}

/** The same of the times that a file states, before any origin. */
export function encodeFileTimes({ timeBase, pts, timelineOrigin }: FrameIndex): StoredFrameTimes {
  const originTicks = secondsToTicks(timelineOrigin.containerSeconds, timeBase);
  return encodeFrameTimes({ timeBase, pts: pts.map((time) => time + originTicks) });
}

export function decodeFrameTimes({ timeBase, firstPts, deltas }: StoredFrameTimes): FrameTimes {
  const frameCount = deltas.reduce((sum, [, count]) => sum + count, 1);
  const pts = new Float64Array(frameCount);
  let [frame, time] = [0, firstPts];
  pts[0] = time;
  for (const [ticks, count] of deltas) {
    for (let repeat = 0; repeat < count; repeat += 1) {
      frame += 1;
      time += ticks;
      pts[frame] = time;
    }
  }
  return { timeBase, pts };
}
