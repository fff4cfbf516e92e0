import { heldFrameSeekPoint, seekPoint } from '../../media/ffmpeg/seek.ts';
import type { RateChange } from '../../media/filters/deinterlace.ts';
import { type Filter, mayHoldFrame, startWithHeldFrame } from '../../media/filters/filter.ts';
import { isVariableRate } from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';

/** Seconds of an input, from its start. */
export type TimeRange = { start: number; end: number };

/** How ffmpeg reads a range, in whole milliseconds. */
export type RangeSeek = {
  /** The position of a seek before the input; 0 for none. */
  seekSeconds: number;
  /**
   * Whether the range starts with the frame on screen at its start: then reading starts at a keyframe before the position.
   * Otherwise it starts with the next frame, and the seek drops decoded frames and samples before the position.
   */
  startsWithHeldFrame: boolean;
  /** What the output drops after that, by timestamps. */
  skipSeconds: number;
  /** What the output keeps. */
  lengthSeconds: number;
};

/** The seek that reads a range: fast before the input, and exact to the frame on the output. */
export function rangeSeek(probe: Probe, { start, end }: TimeRange): RangeSeek {
  const video = requireVideo(probe);
  const isAfterFirstFrame = start > video.startSeconds;
  const startsWithHeldFrame = isAfterFirstFrame && showsHeldFrame(video, { start, end });
  const seekFor = startsWithHeldFrame ? heldFrameSeekPoint : seekPoint;
  // A seek lands on a video keyframe. Before the first one it would skip audio.
  const seekSeconds = isAfterFirstFrame ? seekFor(probe, start) : 0;
  return {
    seekSeconds: wholeMs(seekSeconds),
    startsWithHeldFrame,
    skipSeconds: wholeMs(start - seekSeconds),
    lengthSeconds: wholeMs(end - start),
  };
}

/**
 * A held frame that the next one replaces sooner is left out. Where audio starts a few milliseconds before the video, all
 * frames start that much later than the times that requests name.
 */
const minHeldSeconds = 0.05;

/** Whether the frame on screen at the start of a range is worth showing. At high constant rates the next starts at once. */
function showsHeldFrame(video: VideoStream, { start, end }: TimeRange): boolean {
  const { framesPerSecond } = video;
  if (!mayHoldFrame(video)) return false;
  if (isVariableRate(video) || framesPerSecond === undefined) return true;
  const frames = (start - video.startSeconds) * framesPerSecond;
  const untilNextSeconds = (Math.ceil(frames) - frames) / framesPerSecond;
  return untilNextSeconds > minHeldSeconds || start + untilNextSeconds >= end;
}

export type SeekArguments = {
  inputOptions: string[];
  /** Of the video, behind filters that need earlier frames. */
  filters: Filter[];
  outputOptions: string[];
};

/**
 * The arguments of such a seek; none without a range. By `aheadSeconds`, filters see frames at later times than without: those
 * that subtitles count.
 */
export function seekArguments(
  probe: Probe,
  range: TimeRange | undefined,
  { framesPerSecond, aheadSeconds = 0 }: RateChange & { aheadSeconds?: number } = {},
): SeekArguments {
  if (range === undefined) return { inputOptions: [], filters: [], outputOptions: [] };
  const { seekSeconds, startsWithHeldFrame, lengthSeconds, ...found } = rangeSeek(probe, range);
  const skipSeconds = wholeMs(found.skipSeconds + aheadSeconds);
  const skip = ['-ss', skipSeconds.toFixed(3)];
  const seek = [...(startsWithHeldFrame ? ['-noaccurate_seek'] : []), '-ss', seekSeconds.toFixed(3)];
  const ahead = aheadSeconds === 0 ? [] : ['-itsoffset', aheadSeconds.toFixed(3)];
  // A conversion to a constant rate has a frame for every time.
  const needsNoFilter = !startsWithHeldFrame || framesPerSecond !== undefined;
  return {
    inputOptions: [...ahead, ...(seekSeconds > 0 ? seek : [])],
    filters: needsNoFilter ? [] : [startWithHeldFrame(skipSeconds)],
    outputOptions: [
      ...(skipSeconds > 0 || startsWithHeldFrame || aheadSeconds !== 0 ? skip : []),
      ...['-t', lengthSeconds.toFixed(3)],
    ],
  };
}

/** The end of the video of a range, in seconds from its start. */
export function videoSecondsOf(probe: Probe, video: VideoStream, { start, end }: TimeRange): number {
  return wholeMs(Math.min(end, endSecondsOf(probe, [video]) ?? end) - start);
}

function wholeMs(seconds: number): number {
  return Number(seconds.toFixed(3));
}
