import type { FrameIndex } from '../../../core/chunking/frame-index/frame-index.ts';

type Differences = Partial<FrameIndex> & {
  /** Ticks of 1 ms between pictures. */
  every?: number;
  pictures?: number;
  /** Pictures between keyframes. */
  keyframeEvery?: number;
};

/** 10 minutes at 25 pictures a second with a keyframe each 2 s, all alike. */
export function aFrameIndex({
  every = 40,
  pictures = 15_000,
  keyframeEvery = 50,
  ...differences
}: Differences = {}): FrameIndex {
  const keyframes = Array.from({ length: Math.ceil(pictures / keyframeEvery) }, (_, index) => ({
    frame: index * keyframeEvery,
    bytesBefore: index * keyframeEvery * 1000,
  }));
  return {
    timeBase: { numerator: 1, denominator: 1000 },
    timelineOrigin: { containerSeconds: 0, fileSeconds: 0 },
    pts: Float64Array.from({ length: pictures }, (_, index) => index * every),
    keyframes,
    sizeBytes: pictures * 1000,
    anomalies: { missingPts: 0, corruptPackets: 0, framesBeforeKeyframe: 0, hasUnorderedKeyframes: false },
    ...differences,
  };
}
