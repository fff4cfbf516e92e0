import type { PictureIndex } from '../../core/chunks/picture-index.ts';

type Differences = Partial<PictureIndex> & {
  /** Ticks of 1 ms between pictures. */
  every?: number;
  pictures?: number;
  /** Pictures between keyframes. */
  keyframeEvery?: number;
};

/** 10 minutes at 25 pictures a second with a keyframe each 2 s, all alike. */
export function aPictureIndex({
  every = 40,
  pictures = 15_000,
  keyframeEvery = 50,
  ...differences
}: Differences = {}): PictureIndex {
  const entries = Array.from({ length: Math.ceil(pictures / keyframeEvery) }, (_, index) => ({
    picture: index * keyframeEvery,
    bytesBefore: index * keyframeEvery * 1000,
  }));
  return {
    timeBase: { numerator: 1, denominator: 1000 },
    beginning: { containerSeconds: 0, fileSeconds: 0 },
    times: Float64Array.from({ length: pictures }, (_, index) => index * every),
    entries,
    sizeBytes: pictures * 1000,
    oddities: { withoutTime: 0, damaged: 0, beforeFirstKeyframe: 0, runsBackwards: false },
    ...differences,
  };
}
