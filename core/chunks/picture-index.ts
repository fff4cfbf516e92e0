import type { Beginning } from './beginning.ts';
import { secondsOf, type TimeBase } from './ticks.ts';

/**
 * When the pictures of one video stream are shown and where it can be entered, as its packets say without any being
 * decoded. Eight bytes a picture: 14 MB for the longest and fastest input that is accepted by default.
 */
export type PictureIndex = PictureTimes & {
  beginning: Beginning;
  /** Where decoding can begin, by rising time, at least `entryGapSeconds` apart. */
  entries: Entry[];
  /** Bytes of all packets. */
  sizeBytes: number;
  /** A hash of what a decoder is set up with; left out where the codec has no such thing. */
  decoderSetup?: string;
  oddities: Oddities;
};

export type PictureTimes = {
  timeBase: TimeBase;
  /** When each picture is shown, ascending, in ticks since the beginning. */
  times: Float64Array;
};

/** A keyframe that is shown. */
export type Entry = {
  /** Its position in `times`. */
  picture: number;
  /** Bytes of the packets that lie before it. */
  bytesBefore: number;
};

/** What makes the times of packets a bad guide to what a decoder shows. */
export type Oddities = {
  /** Packets that do not say when they are shown. */
  withoutTime: number;
  /** Packets that the container calls damaged. */
  damaged: number;
  /** Pictures that come before the first keyframe, in the file or on the screen. */
  beforeFirstKeyframe: number;
  /** Whether a keyframe is shown no later than the one before it. */
  runsBackwards: boolean;
};

/** Keyframes nearer than this to the last one that was taken are no places to cut: some codecs have nothing else. */
export const entryGapSeconds = 0.5;

/** Seconds from the beginning until a picture is shown. */
export function shownAt({ times, timeBase }: PictureTimes, picture: number): number {
  return secondsOf(times[picture] ?? Number.NaN, timeBase);
}
