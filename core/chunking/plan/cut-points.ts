import type { FrameIndex, Keyframe } from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/time-base.ts';
import { chunkableSegmentStarts, segmentStarts } from './segment-starts.ts';

/** Where a picture may be cut. */
export type CutPoint = {
  /** The first picture behind the cut. */
  frame: number;
  /** The last entry that is not behind it, by its position in the index. */
  keyframe: number;
  /** What lies before it, as a share of the whole work. */
  costShare: number;
};

// Half of a smaller gap could be rounded to either side.
const minGapTicks = 2;
const minGapSeconds = 10e-6;

/** Before its keyframes, or where segments begin that are made of it. */
export function cutPoints(index: FrameIndex, segmentSeconds: number | undefined): CutPoint[] {
  const places = segmentSeconds === undefined ? entriesOf(index) : segmentsOf(index, segmentSeconds);
  return places
    .filter(({ frame }) => canCutBefore(index, frame))
    .map(({ frame, keyframe, bytesBefore }) => ({
      frame,
      keyframe,
      costShare: costBefore(index, { frame, bytesBefore }),
    }));
}

type Uncosted = Keyframe & Pick<CutPoint, 'keyframe'>;

function entriesOf({ keyframes }: FrameIndex): Uncosted[] {
  return keyframes.map((entry, keyframe) => ({ ...entry, keyframe }));
}

/** Between entries, as many bytes are taken for each picture. */
function segmentsOf(index: FrameIndex, segmentSeconds: number): Uncosted[] {
  const { keyframes, pts, sizeBytes } = index;
  const starts = chunkableSegmentStarts(index, {
    starts: segmentStarts(index, segmentSeconds),
    segmentSeconds,
  });
  let keyframe = 0;
  return starts.flatMap((frame) => {
    while ((keyframes[keyframe + 1]?.frame ?? Number.POSITIVE_INFINITY) <= frame) keyframe += 1;
    const here = keyframes[keyframe];
    if (here === undefined) return [];
    const next = keyframes[keyframe + 1] ?? { frame: pts.length, bytesBefore: sizeBytes };
    const share = (frame - here.frame) / (next.frame - here.frame);
    const bytesBefore = here.bytesBefore + share * (next.bytesBefore - here.bytesBefore);
    return [{ frame, keyframe, bytesBefore }];
  });
}

function canCutBefore({ pts, timeBase }: FrameIndex, picture: number): boolean {
  if (picture === 0) return false;
  const gap = (pts[picture] ?? 0) - (pts[picture - 1] ?? 0);
  return gap >= minGapTicks && ticksToSeconds(gap, timeBase) >= minGapSeconds;
}

/** Pictures take time each, and more of it where there is more in them. */
function costBefore({ pts, sizeBytes }: FrameIndex, { frame, bytesBefore }: Keyframe): number {
  const share = frame / pts.length;
  return sizeBytes === 0 ? share : (share + bytesBefore / sizeBytes) / 2;
}
