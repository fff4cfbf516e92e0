/** The length of one tick of a stream's timestamps, in seconds, as the ratio that the container states. */
export type TimeBase = { numerator: number; denominator: number };

/** Parses `1/30000`; undefined unless it is a ratio of positive integers. */
export function parseTimeBase(text: string): TimeBase | undefined {
  const [numerator = 0, denominator = 0] = text.split('/').map(Number);
  const isRatio = Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return isRatio && numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
}

export function ticksToSeconds(ticks: number, { numerator, denominator }: TimeBase): number {
  return (ticks * numerator) / denominator;
}

/** The nearest whole number of ticks. Halves round away from zero, as in ffmpeg. */
export function secondsToTicks(seconds: number, { numerator, denominator }: TimeBase): number {
  const microseconds = Math.round(Math.abs(seconds) * 1e6);
  return Math.sign(seconds) * Math.round((microseconds * denominator) / (1e6 * numerator));
}
