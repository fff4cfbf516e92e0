import { constantRateOf, type Encoding, isLadderEncoding, rateChangeOf } from '../../encoding/encoding.ts';
import { limitsFrameRate } from '../../encoding/ladder/ladder.ts';
import { hasOwnLastFrame } from '../../encoding/video/frame-times.ts';
import { rangeSeek, videoSecondsOf } from '../../media/ffmpeg/seek.ts';
import { framesWithinLimit } from '../../media/filters/filter.ts';
import { type ExactRate, exactRate, isFieldRate } from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { type FrameIndex, type FrameTimes, type Keyframe, secondsToTicks, ticksToSeconds } from './frame-index.ts';

/** The frames that an encoding makes. A keyframe is the first of them that shows it, so several may be the same. */
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

/** The frames that a deinterlacer makes of each field: the second field is half way to the next frame. */
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

export type KeptFrames = {
  first: number;
  /** Number of the frame after the last. */
  end: number;
  /** The time that an output shows as 0, in ticks. The first frame may start earlier: it is shown from then on. */
  zeroTicks: number;
  /** When the last frame ends, in ticks, if it is on screen until the end of the range. */
  endTicks?: number;
};

/**
 * The frames within the time range of an encoding, with ffmpeg's rounding: a seek drops frames of the source, then the
 * output drops what it makes of the rest. The length counts from the first frame that is left and from the start of the
 * range, whichever ends first. Where frames last long, the one on screen at the start of the range is the first.
 */
export function keptFrames(
  { source, output }: { source: FrameIndex; output: FrameIndex },
  { probe, encoding }: { probe: Probe; encoding: Encoding },
): KeptFrames {
  const { pts, timeBase } = output;
  const range = encoding.range;
  if (range === undefined) return { first: 0, end: pts.length, zeroTicks: 0 };
  const { seekSeconds, startsWithHeldFrame, skipSeconds, lengthSeconds } = rangeSeek(probe, range);
  const soughtTicks = seekTicks(source, seekSeconds);
  const soughtFrame = source.pts.findIndex((time) => time >= soughtTicks);
  // A deinterlacer may make two frames of each.
  const fields = pts.length / source.pts.length;
  const zeroTicks = fields * soughtTicks + secondsToTicks(skipSeconds, timeBase);
  const nextFrame = pts.findIndex((time, frame) => frame >= fields * soughtFrame && time >= zeroTicks);
  const heldFrame = startsWithHeldFrame ? pts.findLastIndex((time) => time <= zeroTicks) : -1;
  const first = heldFrame === -1 ? nextFrame : heldFrame;
  if (first === -1) return { first: pts.length, end: pts.length, zeroTicks };
  const firstTicks = Math.max(zeroTicks, pts[first] ?? 0);
  const lengthTicks = secondsToTicks(lengthSeconds, timeBase);
  const isPastEnd = (time: number) =>
    time - firstTicks >= lengthTicks || ticksToSeconds(time - zeroTicks, timeBase) >= lengthSeconds;
  const end = pts.findIndex((time) => time >= firstTicks && isPastEnd(time));
  const video = requireVideo(probe);
  return {
    first,
    end: end === -1 ? pts.length : end,
    zeroTicks,
    ...(hasOwnLastFrame(video, encoding) && {
      endTicks: zeroTicks + secondsToTicks(videoSecondsOf(probe, video, range), timeBase),
    }),
  };
}

/** The index of these frames by the times of the output. */
export function cutIndex(index: FrameIndex, { first, end, zeroTicks }: KeptFrames): FrameTimes {
  const { timeBase, pts } = index;
  return { timeBase, pts: pts.slice(first, end).map((time) => Math.max(0, time - zeroTicks)) };
}

/** ffmpeg rounds the position of a seek together with the start time of the file. */
function seekTicks({ timeBase, timelineOrigin: { containerSeconds } }: FrameIndex, seconds: number): number {
  return secondsToTicks(containerSeconds + seconds, timeBase) - secondsToTicks(containerSeconds, timeBase);
}
