/** What the segments of a stream take, in bits a second. */
export type SegmentRates = {
  /** The most that a player has to fetch: the peak segment bit rate of RFC 8216, section 4.1. */
  peak: number;
  average: number;
};

type Segment = { bits: number; seconds: number };

/** Measures a finished media playlist, whose segments are parts of a file. */
export function measureSegmentRates(text: string): SegmentRates {
  const segments = segmentsOf(text);
  const targetSeconds = Number(/^#EXT-X-TARGETDURATION:(\d+)/m.exec(text)?.[1] ?? 0);
  const average = rateOf(segments);
  const peak = segments.reduce(
    (most, _, from) => Math.max(most, peakFrom(segments, { from, targetSeconds })),
    average,
  );
  return { peak, average };
}

/** How long each of them plays, in seconds. */
export function readSegmentDurations(text: string): number[] {
  return segmentsOf(text).map(({ seconds }) => seconds);
}

function segmentsOf(text: string): Segment[] {
  const found = text.matchAll(/^#EXTINF:([\d.]+),.*\n#EXT-X-BYTERANGE:(\d+)/gm);
  return [...found].map(([, seconds, bytes]) => ({ seconds: Number(seconds), bits: 8 * Number(bytes) }));
}

/** Of the runs that begin with a segment and are half to one and a half times as long as the longest may be. */
function peakFrom(
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

function rateOf(segments: readonly Segment[]): number {
  const sum = (of: (segment: Segment) => number) => segments.reduce((total, each) => total + of(each), 0);
  const seconds = sum((segment) => segment.seconds);
  return seconds === 0 ? 0 : sum(({ bits }) => bits) / seconds;
}
