import { type FrameIndex, frameSeconds } from '../frame-index/frame-index.ts';
import type { Chunk } from './chunk.ts';
import { type CutPoint, cutPoints } from './cut-points.ts';
import { midpointBefore, prerollSeek } from './preroll.ts';
import { segmentStarts } from './segment-starts.ts';

export type CutOptions = {
  maxChunks: number;
  /** Of the source. */
  container: string;
  /** Of what is made of it, where that has segments. */
  segmentSeconds?: number | undefined;
};

/**
 * Cuts a picture into at most `count` chunks of about the same cost: before some of its keyframes, or where segments
 * begin. There are fewer where such places lie too far apart.
 */
export function cutVideo(index: FrameIndex, { maxChunks, container, segmentSeconds }: CutOptions): Chunk[] {
  const places = cutPoints(index, segmentSeconds);
  const chosen = new Set<CutPoint>();
  for (let each = 1; each < maxChunks; each += 1) {
    const nearest = nearestTo(each / maxChunks, places);
    if (nearest) chosen.add(nearest);
  }
  const cuts = [...chosen];
  const starts = segmentSeconds === undefined ? [] : segmentStarts(index, segmentSeconds);
  return Array.from({ length: cuts.length + 1 }, (_, position) => {
    const [here, next] = [cuts[position - 1], cuts[position]];
    const first = here?.frame ?? 0;
    const end = next?.frame ?? index.pts.length;
    const startSeconds = frameSeconds(index, first);
    const inside = starts.filter((picture) => picture > first && picture < end);
    return {
      frames: end - first,
      startSeconds,
      durationSeconds: (next ? frameSeconds(index, end) : endOf(index)) - startSeconds,
      ...(here ? { trimStartSeconds: midpointBefore(index, here) } : {}),
      ...(here ? prerollSeek(index, here, container) : {}),
      ...(next ? { trimEndSeconds: midpointBefore(index, next) } : {}),
      ...(segmentSeconds === undefined
        ? {}
        : { keyframeSeconds: inside.map((frame) => midpointBefore(index, { frame })) }),
      costShare: (next?.costShare ?? 1) - (here?.costShare ?? 0),
    };
  });
}

function nearestTo(cost: number, places: readonly CutPoint[]): CutPoint | undefined {
  const distance = (place: CutPoint) => Math.abs(place.costShare - cost);
  return places.reduce<CutPoint | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

/** The end of the last picture, as if it were shown as long as the one before. */
function endOf(index: FrameIndex): number {
  const last = index.pts.length - 1;
  return (
    frameSeconds(index, last) + (last === 0 ? 0 : frameSeconds(index, last) - frameSeconds(index, last - 1))
  );
}
