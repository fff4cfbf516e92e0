import { type Encoding, rangeOf } from '../../encoding/encoding.ts';
import { hasOwnLastFrame } from '../../encoding/video/last-frame.ts';
import { rangeSeek, videoSecondsOf } from '../../encoding/video/time-range.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import type { FrameIndex, FrameTimes } from './frame-index.ts';
import { secondsToTicks, ticksToSeconds } from './timeline.ts';

/** The frames of an index that an encoding keeps. */
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
  const range = rangeOf(encoding);
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
