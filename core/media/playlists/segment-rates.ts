/** Consecutive bytes of a stream that a player requests at once. */
export type Segment = { offset: number; sizeBytes: number; seconds: number };

export type SegmentRates = {
  /** The peak segment bit rate of RFC 8216, section 4.1. */
  peakBitsPerSecond: number;
  averageBitsPerSecond: number;
};

// Of sums of durations.
const roundingSeconds = 1e-6;

/**
 * Joins fragments to segments: a segment ends with the first fragment that makes it `minSeconds` long.
 * @param fragments without gaps between them
 */
export function groupIntoSegments(fragments: readonly Segment[], minSeconds: number): Segment[] {
  const segments: Segment[] = [];
  for (const { offset, sizeBytes, seconds } of fragments) {
    const last = segments.at(-1);
    if (last === undefined || last.seconds >= minSeconds - roundingSeconds)
      segments.push({ offset, sizeBytes, seconds });
    else {
      last.sizeBytes += sizeBytes;
      last.seconds += seconds;
    }
  }
  return segments;
}

/** The value of `EXT-X-TARGETDURATION` in seconds (RFC 8216, section 4.3.3.1). */
export function targetDuration(segments: readonly Segment[]): number {
  return segments.reduce((max, { seconds }) => Math.max(max, Math.round(seconds)), 1);
}

/** @param targetSeconds the target duration of the playlist, which bounds the runs of segments that count as a peak */
export function measureSegmentRates(
  segments: readonly Segment[],
  targetSeconds = targetDuration(segments),
): SegmentRates {
  const averageBitsPerSecond = averageRate(segments);
  const peakBitsPerSecond = segments.reduce(
    (peak, _, from) => Math.max(peak, peakRateFrom(segments, { from, targetSeconds })),
    averageBitsPerSecond,
  );
  return { peakBitsPerSecond, averageBitsPerSecond };
}

/** The peak over all runs of segments that start at `from` and last 0.5 to 1.5 times the target duration. */
function peakRateFrom(
  segments: readonly Segment[],
  { from, targetSeconds }: { from: number; targetSeconds: number },
): number {
  let [bits, seconds, peak] = [0, 0, 0];
  for (let at = from; at < segments.length; at += 1) {
    const next = segments[at];
    bits += 8 * (next?.sizeBytes ?? 0);
    seconds += next?.seconds ?? 0;
    if (seconds > 1.5 * targetSeconds) break;
    if (seconds >= 0.5 * targetSeconds) peak = Math.max(peak, bits / seconds);
  }
  return peak;
}

function averageRate(segments: readonly Segment[]): number {
  const seconds = segments.reduce((sum, each) => sum + each.seconds, 0);
  return seconds === 0 ? 0 : (8 * segments.reduce((sum, each) => sum + each.sizeBytes, 0)) / seconds;
}
