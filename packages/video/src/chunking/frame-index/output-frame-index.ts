import { constantRateOf, type Encoding, isLadderEncoding, rateChangeOf } from '../../encoding/encoding.ts';
import { limitsFrameRate } from '../../encoding/ladder/segmenting.ts';
import { framesWithinLimit, isFieldRate } from '../../media/filters/deinterlace.ts';
import { type ExactRate, exactRate } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import type { FrameIndex, Keyframe } from './frame-index.ts';
import { ticksToSeconds } from './timeline.ts';

/**
 * The index of the frames that an encoding makes of a source. Each keyframe of the source is listed as the first output
 * frame that shows it, so several may be the same frame.
 */
export function outputFrameIndex(source: FrameIndex, video: VideoStream, encoding: Encoding): FrameIndex {
  const { lastFrameTicks: _, ...index } = source;
  // The container states the duration of a field for it: `lastFieldFilters`.
  const whole = video.statesFieldRate ? index : source;
  const deinterlaced = isFieldRate(video, rateChangeOf(encoding)) ? fieldIndex(whole) : whole;
  const isLadder = isLadderEncoding(encoding);
  const tempo = isLadder ? undefined : encoding.transform.tempo;
  const startSeconds = isLadder ? undefined : encoding.transform.startSeconds;
  const played = fromStart(tempo === undefined ? deinterlaced : atTempo(deinterlaced, tempo), startSeconds);
  const rate = constantRateOf(encoding);
  // A ladder shows its first frame from the start, and so does a clip of `concat`.
  const firstSlot = isLadder || startSeconds !== undefined ? 0 : undefined;
  if (rate !== undefined) return atConstantRate(played, { rate, firstSlot });
  return isLadder && limitsFrameRate(encoding.segmenting) ? withinFrameRate(played) : played;
}

function withinFrameRate(index: FrameIndex): FrameIndex {
  const { timeBase, pts, keyframes } = index;
  const kept = framesWithinLimit(pts, timeBase.numerator / timeBase.denominator);
  if (kept.length === pts.length) return index;
  const timeOf = (frame: number) => pts[frame] ?? 0;
  const last = kept.at(-1) ?? 0;
  return {
    ...index,
    pts: Float64Array.from(kept, timeOf),
    precedingPts: Float64Array.from(kept, (frame) => timeOf(frame - 1)),
    lastFrameTicks: (last + 1 < pts.length ? timeOf(last + 1) : endTicks(index)) - timeOf(last),
    keyframes: shownFrames(keyframes, kept),
  };
}

/** Each keyframe as the first of the kept frames that is not before it, or the last of them. */
function shownFrames(keyframes: readonly Keyframe[], kept: readonly number[]): Keyframe[] {
  let shown = 0;
  return keyframes.map((keyframe) => {
    while (shown < kept.length - 1 && (kept[shown] ?? 0) < keyframe.frame) shown += 1;
    return { ...keyframe, frame: shown };
  });
}

/**
 * The index of the frames that a deinterlacer makes of each field. The second field of a frame is half way to the next
 * frame; that of the last frame as long after it as that of the frame before.
 */
function fieldIndex({ timeBase, pts, keyframes, lastFrameTicks: _, ...index }: FrameIndex): FrameIndex {
  const fieldPts = new Float64Array(2 * pts.length);
  for (let frame = 0; frame < pts.length; frame += 1) {
    const time = pts[frame] ?? 0;
    const next = pts[frame + 1] ?? 2 * time - (pts[frame - 1] ?? time);
    fieldPts[2 * frame] = 2 * time;
    fieldPts[2 * frame + 1] = time + next;
  }
  return {
    ...index,
    timeBase: { ...timeBase, denominator: 2 * timeBase.denominator },
    pts: fieldPts,
    keyframes: keyframes.map((keyframe) => ({ ...keyframe, frame: 2 * keyframe.frame })),
  };
}

/** The frames at another speed. ffmpeg's `setpts` truncates to whole ticks. */
function atTempo(index: FrameIndex, tempo: number): FrameIndex {
  const end = Math.trunc(endTicks(index) / tempo);
  const pts = index.pts.map((time) => Math.trunc(time / tempo));
  return { ...index, pts, lastFrameTicks: end - (pts.at(-1) ?? 0) };
}

/** The frames by the time from `startSeconds` on. */
function fromStart(index: FrameIndex, startSeconds = 0): FrameIndex {
  if (startSeconds === 0) return index;
  const ticks = startSeconds / ticksToSeconds(1, index.timeBase);
  return { ...index, pts: index.pts.map((time) => Math.trunc(time - ticks)) };
}

/**
 * The frames of ffmpeg's `fps` filter: one in each slot of the rate. A slot shows the last frame whose rounded time is
 * not after it. The first slot is that of the first frame unless it is given; the end of the last frame ends the last slot.
 */
function atConstantRate(
  index: FrameIndex,
  { rate, firstSlot }: { rate: number | ExactRate; firstSlot?: number | undefined },
): FrameIndex {
  const { timeBase, pts, keyframes } = index;
  const { frames, seconds } = ratioOf(rate);
  const slotOf = (ticks: number) =>
    Math.round((ticks * timeBase.numerator * frames) / (timeBase.denominator * seconds));
  const first = firstSlot ?? slotOf(pts[0] ?? 0);
  const count = Math.max(1, slotOf(endTicks(index)) - first);
  return {
    ...index,
    timeBase: { numerator: seconds, denominator: frames },
    pts: Float64Array.from({ length: count }, (_, slot) => first + slot),
    lastFrameTicks: 1,
    keyframes: keyframes.map((keyframe) => ({
      ...keyframe,
      frame: Math.min(count - 1, Math.max(0, slotOf(pts[keyframe.frame] ?? 0) - first)),
    })),
  };
}

/** The end of the last frame. One without a duration lasts as long as the frame before it. */
function endTicks({ pts, lastFrameTicks }: FrameIndex): number {
  const [before, last] = [pts.at(-2), pts.at(-1) ?? 0];
  return last + (lastFrameTicks ?? (before === undefined ? 0 : last - before));
}

function ratioOf(rate: number | ExactRate): { frames: number; seconds: number } {
  const exact = Number.isInteger(rate) ? `${rate}/1` : typeof rate === 'number' ? exactRate(rate).exact : rate;
  const [frames = 0, seconds = 1] = exact.split('/').map(Number);
  return { frames, seconds };
}
