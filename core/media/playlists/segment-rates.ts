export type SegmentRates = {
  /** The peak segment bit rate of RFC 8216, section 4.1. */
  peakBitsPerSecond: number;
  averageBitsPerSecond: number;
};

type Segment = { bits: number; seconds: number };

/** Measures a finished media playlist whose segments are byte ranges. */
export function measureSegmentRates(text: string): SegmentRates {
  const segments = segmentsOf(text);
  const targetSeconds = Number(/^#EXT-X-TARGETDURATION:(\d+)/m.exec(text)?.[1] ?? 0);
  const averageBitsPerSecond = averageRate(segments);
  const peakBitsPerSecond = segments.reduce(
    (peak, _, from) => Math.max(peak, peakRateFrom(segments, { from, targetSeconds })),
    averageBitsPerSecond,
  );
  return { peakBitsPerSecond, averageBitsPerSecond };
}

/** The duration of each segment in seconds. */
export function readSegmentDurations(text: string): number[] {
  return segmentsOf(text).map(({ seconds }) => seconds);
}

function segmentsOf(text: string): Segment[] {
  const found = text.matchAll(/^#EXTINF:([\d.]+),.*\n#EXT-X-BYTERANGE:(\d+)/gm);
  return [...found].map(([, seconds, bytes]) => ({ seconds: Number(seconds), bits: 8 * Number(bytes) }));
}

/** The peak over all runs of segments that start at `from` and last 0.5 to 1.5 times the target duration. */
function peakRateFrom(
  segments: readonly Segment[],
  { from, targetSeconds }: { from: number; targetSeconds: number },
): number {
  let [bits, seconds, peak] = [0, 0, 0];
  for (let at = from; at < segments.length; at += 1) {
    const next = segments[at];
    bits += next?.bits ?? 0;
    seconds += next?.seconds ?? 0;
    if (seconds > 1.5 * targetSeconds) break;
    if (seconds >= 0.5 * targetSeconds) peak = Math.max(peak, bits / seconds);
  }
  return peak;
}

function averageRate(segments: readonly Segment[]): number {
  const sum = (value: (segment: Segment) => number) =>
    segments.reduce((total, each) => total + value(each), 0);
  const seconds = sum((segment) => segment.seconds);
  return seconds === 0 ? 0 : sum(({ bits }) => bits) / seconds;
}
