import { constantFps } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** How sizes are encoded among which players choose from segment to segment. */
export type SegmentingOptions = {
  segmentSeconds: number;
  /** What the bit rate of each size never exceeds for long. */
  maxRatesKbps: readonly number[];
  /** The rate in frames a second at which the first frame is shown from the beginning, where it comes later. */
  padStartFps?: number;
};

// What a decoder has to hold, at a size's highest rate.
const bufferSeconds = 1;

// Less than anybody sees.
const unnoticedSeconds = 0.05;

/** Where the picture comes after the sound, its first frame is shown until then; that takes a constant rate. */
export function startPadding(video: VideoStream): Pick<SegmentingOptions, 'padStartFps'> {
  return video.startSeconds < unnoticedSeconds ? {} : { padStartFps: constantFps(video) };
}

/** Filters that do so. */
export function padStartFilters({ padStartFps }: Pick<SegmentingOptions, 'padStartFps'>): string[] {
  return padStartFps === undefined ? [] : [`fps=${padStartFps}:start_time=0`];
}

type StreamRendition = { segmenting: SegmentingOptions; size: number; specifier: string };

/** Bounds the rate of a size; `specifier` is that of its stream, such as `:v:0`. */
export function rateLimitArguments({ segmenting, size, specifier }: StreamRendition): string[] {
  const kbps = segmenting.maxRatesKbps[size] ?? 0;
  return [
    ...[`-maxrate${specifier}`, `${kbps}k`, `-bufsize${specifier}`, `${kbps * bufferSeconds}k`],
    ...declaredBitrateArguments({ segmenting, size, specifier }),
  ];
}

/**
 * The bit rate that ffmpeg announces is what a segment may take at most, a full buffer and as much as comes while it
 * plays; what was measured takes its place in the end.
 */
export function declaredBitrateArguments({ segmenting, size, specifier }: StreamRendition): string[] {
  const { maxRatesKbps, segmentSeconds } = segmenting;
  const announced = Math.ceil((maxRatesKbps[size] ?? 0) * (1 + bufferSeconds / segmentSeconds));
  return [`-b${specifier}`, `${announced}k`];
}

/** Seconds by which a segment may be shorter than asked for: times of frames are rounded, to a millisecond at worst. */
const roundingSeconds = 0.002;

/** The least seconds from one keyframe to the next. */
export function minKeyframeSeconds(segmentSeconds: number): number {
  return Number((segmentSeconds - roundingSeconds).toFixed(3));
}

/**
 * An expression of ffmpeg by which a segment begins with the first frame, and with the next that comes so long after
 * the last such one: also behind a pause in which none came. Before the first the time of the last is no number.
 */
export function segmentKeyframes(segmentSeconds: number): string {
  return `expr:not(lt(t,prev_forced_t+${minKeyframeSeconds(segmentSeconds)}))`;
}

/** All sizes begin their segments with the same frames, and with no others: `at` is when, as ffmpeg reads it. */
export function keyframeArguments(at: string): string[] {
  return ['-sc_threshold', '0', ...(at === '' ? [] : ['-force_key_frames', at])];
}
