/** A part of a picture that is encoded on its own. Seconds count from the source's beginning. */
export type Chunk = {
  /** How many pictures it has. */
  frames: number;
  /** When its first picture is shown. */
  startSeconds: number;
  /** Until the first picture of the next chunk; of the last one until its own end. */
  durationSeconds: number;
  /** Where reading begins: before what is kept, so that it can be decoded. Left out where that is the beginning. */
  seekSeconds?: number;
  /** Half way between its first picture and the one before; left out for the first chunk. */
  trimStartSeconds?: number;
  /** Half way between its last picture and the next; left out for the last chunk. */
  trimEndSeconds?: number;
  /**
   * Where its segments begin, each half way between the first picture of one and the one before, which asks for a
   * keyframe; without its own beginning. Left out where there are no segments.
   */
  keyframeSeconds?: number[];
  /** Its share of the whole work, from 0 to 1. */
  costShare: number;
};
