import { seekPoint } from '../../media/ffmpeg/seek.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';

/** Seconds of an input, from its start. */
export type TimeRange = { start: number; end: number };

/** How ffmpeg reads a range, in whole milliseconds. */
export type RangeSeek = {
  /** The position of a seek before the input; 0 for none. Decoded frames and samples before it are dropped. */
  seekSeconds: number;
  /** What the output drops after that, by timestamps. */
  skipSeconds: number;
  /** What the output keeps. */
  lengthSeconds: number;
};

/** The seek that reads a range: fast before the input, and exact to the frame on the output. */
export function rangeSeek(probe: Probe, { start, end }: TimeRange): RangeSeek {
  // A seek lands on a video keyframe. Before the first one it would skip audio.
  const seekSeconds = start <= requireVideo(probe).startSeconds ? 0 : seekPoint(probe, start);
  return {
    seekSeconds: wholeMs(seekSeconds),
    skipSeconds: wholeMs(start - seekSeconds),
    lengthSeconds: wholeMs(end - start),
  };
}

export type SeekArguments = { inputOptions: string[]; outputOptions: string[] };

/** The arguments of such a seek; none without a range. */
export function seekArguments(probe: Probe, range: TimeRange | undefined): SeekArguments {
  if (range === undefined) return { inputOptions: [], outputOptions: [] };
  const { seekSeconds, skipSeconds, lengthSeconds } = rangeSeek(probe, range);
  const skipFrom = (seconds: number) => (seconds > 0 ? ['-ss', seconds.toFixed(3)] : []);
  return {
    inputOptions: skipFrom(seekSeconds),
    outputOptions: [...skipFrom(skipSeconds), '-t', lengthSeconds.toFixed(3)],
  };
}

function wholeMs(seconds: number): number {
  return Number(seconds.toFixed(3));
}
