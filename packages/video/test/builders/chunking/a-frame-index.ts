import type { FrameIndex } from '../../../src/chunking/frame-index/frame-index.ts';

type Differences = Partial<FrameIndex> & {
  /** Ticks of 1 ms between frames. */
  every?: number;
  frames?: number;
  /** Frames between keyframes. */
  keyframeEvery?: number;
};

/** 10 minutes at 25 fps with a keyframe every 2 s, all frames alike. */
export function aFrameIndex({
  every = 40,
  frames = 15_000,
  keyframeEvery = 50,
  ...differences
}: Differences = {}): FrameIndex {
  const keyframes = Array.from({ length: Math.ceil(frames / keyframeEvery) }, (_, index) => ({
    frame: index * keyframeEvery,
    bytesBefore: index * keyframeEvery * 1000,
  }));
  return {
    timeBase: { numerator: 1, denominator: 1000 },
    timelineOrigin: { containerSeconds: 0, fileSeconds: 0 },
    pts: Float64Array.from({ length: frames }, (_, index) => index * every),
    keyframes,
    sizeBytes: frames * 1000,
    anomalies: {
      missingPts: 0,
      corruptPackets: 0,
      unreadPackets: 0,
      framesBeforeKeyframe: 0,
      hasUnorderedKeyframes: false,
    },
    ...differences,
  };
}
