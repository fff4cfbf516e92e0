import { constantFps } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** Options for renditions between which players switch at segment boundaries. */
export type SegmentingOptions = {
  segmentSeconds: number;
  /** The maximum bit rate of each size. */
  maxRatesKbps: readonly number[];
  /** Frame rate at which the first frame is repeated from t=0, if the video starts late. */
  padStartFps?: number;
};

// Length of the VBV buffer at the maximum bit rate of a size.
const bufferSeconds = 1;

// A video that starts less than this late needs no padding: the gap is invisible.
const maxInvisibleGapSeconds = 0.05;

/** If the video starts after the audio, its first frame is shown from t=0. That needs a constant frame rate. */
export function startPadding(video: VideoStream): Pick<SegmentingOptions, 'padStartFps'> {
  return video.startSeconds < maxInvisibleGapSeconds ? {} : { padStartFps: constantFps(video) };
}

export function padStartFilters({ padStartFps }: Pick<SegmentingOptions, 'padStartFps'>): string[] {
  return padStartFps === undefined ? [] : [`fps=${padStartFps}:start_time=0`];
}

type StreamRendition = { segmenting: SegmentingOptions; size: number; specifier: string };

/** Arguments that limit the bit rate of a size. `specifier` is its stream specifier, such as `:v:0`. */
export function rateLimitArguments({ segmenting, size, specifier }: StreamRendition): string[] {
  const kbps = segmenting.maxRatesKbps[size] ?? 0;
  return [
    ...[`-maxrate${specifier}`, `${kbps}k`, `-bufsize${specifier}`, `${kbps * bufferSeconds}k`],
    ...declaredBitrateArguments({ segmenting, size, specifier }),
  ];
}

/**
 * Sets the bit rate that ffmpeg declares to the maximum of a segment: a full buffer plus the maximum rate for its
 * duration. The measured rate replaces it in the finished playlists.
 */
export function declaredBitrateArguments({ segmenting, size, specifier }: StreamRendition): string[] {
  const { maxRatesKbps, segmentSeconds } = segmenting;
  const declaredKbps = Math.ceil((maxRatesKbps[size] ?? 0) * (1 + bufferSeconds / segmentSeconds));
  return [`-b${specifier}`, `${declaredKbps}k`];
}

/** Tolerance for a segment's length: containers round timestamps, to a millisecond at worst. */
const timestampRoundingSeconds = 0.002;

export function minKeyframeSeconds(segmentSeconds: number): number {
  return Number((segmentSeconds - timestampRoundingSeconds).toFixed(3));
}

/**
 * The `-force_key_frames` expression for segments: a keyframe at the first frame, then at the first frame that is at
 * least a segment's length after the previous keyframe. The expression negates `lt` because `prev_forced_t` is NaN at
 * first.
 */
export function segmentKeyframes(segmentSeconds: number): string {
  return `expr:not(lt(t,prev_forced_t+${minKeyframeSeconds(segmentSeconds)}))`;
}

/** Forces the keyframes of all sizes to the same frames and allows no others. `at` is a value of `-force_key_frames`. */
export function keyframeArguments(at: string): string[] {
  return ['-sc_threshold', '0', ...(at === '' ? [] : ['-force_key_frames', at])];
}
