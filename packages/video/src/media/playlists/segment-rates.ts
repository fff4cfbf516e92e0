/** Consecutive bytes of a stream that a player requests at once. */
export type Segment = { offset: number; sizeBytes: number; seconds: number };

export type SegmentRates = {
  /** The peak segment bit rate of RFC 8216, section 4.1. */
  peakBitsPerSecond: number;
  averageBitsPerSecond: number;
};

// The runs of segments that count as a peak, in target durations (RFC 8216, section 4.1).
const minRun = 0.5;
const maxRun = 1.5;

// Of sums of durations.
const roundingSeconds = 1e-6;

/** Joins adjacent fragments: a segment ends with the first that makes it `minSeconds` long. */
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

/**
 * The segments as a player loads them: one in which a frame is held for long counts as one of the usual length, for which
 * the player shows the segment before it.
 */
export function shortenPauses(segments: readonly Segment[], usualSeconds: number): Segment[] {
  return segments.map((segment) =>
    segment.seconds > maxRun * usualSeconds ? { ...segment, seconds: usualSeconds } : segment,
  );
}

/**
 * Measures the peak over runs of segments as RFC 8216 defines it, but with shortened pauses: the target duration of a
 * stream with a long pause is as long, and over runs of that length no peak is left.
 * @param usualSeconds the length of a segment without a pause
 * @param targetSeconds the target duration without pauses, which bounds the runs
 */
export function measureSegmentRates(
  segments: readonly Segment[],
  {
    usualSeconds,
    targetSeconds = targetDuration(shortenPauses(segments, usualSeconds)),
  }: { usualSeconds: number; targetSeconds?: number },
): SegmentRates {
  const averageBitsPerSecond = averageRate(segments);
  const loaded = shortenPauses(segments, usualSeconds);
  const peakBitsPerSecond = loaded.reduce(
    (peak, _, from) => Math.max(peak, peakRateFrom(loaded, { from, targetSeconds })),
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
    if (seconds > maxRun * targetSeconds) break;
    if (seconds >= minRun * targetSeconds) peak = Math.max(peak, bits / seconds);
  }
  return peak;
}

function averageRate(segments: readonly Segment[]): number {
  const seconds = segments.reduce((sum, each) => sum + each.seconds, 0);
  return seconds === 0 ? 0 : (8 * segments.reduce((sum, each) => sum + each.sizeBytes, 0)) / seconds;
}
