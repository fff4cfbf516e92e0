import { type TimeBase, ticksToSeconds } from './time-base.ts';
import type { TimelineOrigin } from './timeline-origin.ts';

/**
 * When the pictures of one video stream are shown and where it can be entered, as its packets say without any being
 * decoded. Eight bytes a picture: 14 MB for the longest and fastest input that is accepted by default.
 */
export type FrameIndex = FrameTimes & {
  timelineOrigin: TimelineOrigin;
  /** Where decoding can begin, by rising time, at least `minKeyframeGapSeconds` apart. */
  keyframes: Keyframe[];
  /** Bytes of all packets. */
  sizeBytes: number;
  /** A hash of what a decoder is set up with; left out where the codec has no such thing. */
  extradataHash?: string;
  anomalies: FrameAnomalies;
};

export type FrameTimes = {
  timeBase: TimeBase;
  /** When each picture is shown, ascending, in ticks since the beginning. */
  pts: Float64Array;
};

/** A keyframe that is shown. */
export type Keyframe = {
  /** Its position in `times`. */
  frame: number;
  /** Bytes of the packets that lie before it. */
  bytesBefore: number;
};

/** What makes the times of packets a bad guide to what a decoder shows. */
export type FrameAnomalies = {
  /** Packets that do not say when they are shown. */
  missingPts: number;
  /** Packets that the container calls damaged. */
  corruptPackets: number;
  /** Pictures that come before the first keyframe, in the file or on the screen. */
  framesBeforeKeyframe: number;
  /** Whether a keyframe is shown no later than the one before it. */
  hasUnorderedKeyframes: boolean;
};

/** Keyframes nearer than this to the last one that was taken are no places to cut: some codecs have nothing else. */
export const minKeyframeGapSeconds = 0.5;

/** Seconds from the beginning until a picture is shown. */
export function frameSeconds({ pts, timeBase }: FrameTimes, picture: number): number {
  return ticksToSeconds(pts[picture] ?? Number.NaN, timeBase);
}
