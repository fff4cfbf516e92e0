import { nearestConstantRate } from '../frame-rate.ts';
import type { Probe, VideoStream } from './probe.ts';

const maxPackets = 96;
/** Frames that may be decoded before one that is shown first: the decoded picture buffer of H.264 and HEVC. */
const maxReordered = 16;
/** A longer distance is a jump of the clock. */
const maxGapSeconds = 10;
/** Ratio of two rates from which on one of them is false. */
const minFalseRatio = 1.5;
/** Matroska, FLV and ASF round times to milliseconds. */
const roundingSeconds = 0.0015;
const maxDeviation = 0.1;
const maxSameRatio = 1.01;

/** Arguments for ffprobe that print a line for each of the first packets of a stream. */
export function ratePacketArguments({ index }: Pick<VideoStream, 'index'>): string[] {
  const selected = ['-select_streams', String(index), '-read_intervals', `%+#${maxPackets}`];
  return [...selected, '-show_entries', 'packet=pts_time,dts_time', '-print_format', 'csv=p=0'];
}

/**
 * The times of these packets in seconds, in order, without the last frames of a longer video, between which others may be
 * missing. MPEG-PS states times of some packets only: between those of decoding, the others are at equal distances.
 */
export function readPacketTimes(csv: string): number[] {
  const packets = csv.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.split(',').map(Number)]));
  const shown = packets.map(([pts = Number.NaN]) => pts);
  const decoded = packets.map(([pts = Number.NaN, dts = Number.NaN]) => (Number.isNaN(dts) ? pts : dts));
  const times = shown.some(Number.isNaN) ? withoutGaps(decoded) : shown;
  const sorted = ascending(times);
  return packets.length < maxPackets ? sorted : sorted.slice(0, -maxReordered);
}

function withoutGaps(times: readonly number[]): number[] {
  const filled: number[] = [];
  let missing = 0;
  for (const time of times) {
    const last = filled.at(-1);
    if (Number.isNaN(time)) missing += 1;
    else {
      for (let count = 1; last !== undefined && count <= missing; count += 1)
        filled.push(last + ((time - last) * count) / (missing + 1));
      filled.push(time);
      missing = 0;
    }
  }
  return filled;
}

/**
 * The stream with the rate of its first frames, if the stated rate cannot be theirs: no frames are that close, or all are
 * closer. At a steady distance the rate is constant, unless Matroska may change it later. Of MPEG-1 and of broadcasts ffprobe
 * may report twice that rate as the base.
 * @param times of the first frames in seconds
 */
export function withMeasuredRate(
  video: VideoStream,
  times: readonly number[],
  { container }: Pick<Probe, 'container'>,
): VideoStream {
  const { framesPerSecond: stated, baseFramesPerSecond: base = stated } = video;
  const steps = distancesOf(times).filter((distance) => distance > 0 && distance <= maxGapSeconds);
  const distances = ascending(steps);
  const [shortest] = distances;
  const median = distances[distances.length >> 1];
  if (stated === undefined || base === undefined || shortest === undefined || median === undefined) return video;
  const isSteady = distances.every(
    (distance) => Math.abs(distance - median) <= Math.max(roundingSeconds, maxDeviation * median),
  );
  const isTooHigh = stated * shortest > minFalseRatio;
  const isTooLow = isSteady && container !== 'matroska,webm' && 1 > minFalseRatio * stated * median;
  const isBaseFalse = isSteady && ['mpeg', 'mpegts'].includes(container) && base * median > minFalseRatio;
  if (!isTooHigh && !isTooLow)
    return isBaseFalse ? { ...video, baseFramesPerSecond: stated, misstatesRate: true } : video;
  if (!isSteady) return { ...video, framesPerSecond: distances.length / sumOf(distances), misstatesRate: true };
  const measured = 1 / slopeOf(steps);
  const isBaseTrue = Math.max(measured / base, base / measured) < maxSameRatio;
  const constant = isBaseTrue ? base : nearestConstantRate(measured).fps;
  const framesPerSecond = container === 'matroska,webm' ? measured : constant;
  return { ...video, framesPerSecond, baseFramesPerSecond: constant, misstatesRate: true };
}

/** The slope of the regression line of times over frames, by their distances: rounding of single times cancels out. */
function slopeOf(distances: readonly number[]): number {
  const times = [0];
  for (const distance of distances) times.push((times.at(-1) ?? 0) + distance);
  const middle = (times.length - 1) / 2;
  const products = times.map((time, frame) => (frame - middle) * time);
  return sumOf(products) / sumOf(times.map((_, frame) => (frame - middle) ** 2));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Frame durations by the stated one. Matroska rounds timestamps to milliseconds. */
const fieldsPerFrame = { min: 1.8, max: 2.2 };

/**
 * The stream with the rate of its frames: half the stated rate, if it is interlaced and its frames are twice as far apart.
 * Blocks may hold single fields, so only decoded frames show it.
 * @param times of the first decoded frames, in seconds
 */
export function withFrameRate(video: VideoStream, times: readonly number[]): VideoStream {
  const { isInterlaced, framesPerSecond = 0, baseFramesPerSecond } = video;
  const distances = ascending(distancesOf(times));
  const stated = (distances[distances.length >> 1] ?? Number.NaN) * framesPerSecond;
  if (!isInterlaced || !(stated >= fieldsPerFrame.min && stated <= fieldsPerFrame.max)) return video;
  return {
    ...video,
    framesPerSecond: framesPerSecond / 2,
    baseFramesPerSecond: baseFramesPerSecond && baseFramesPerSecond / 2,
    statesFieldRate: true,
  };
}

/** The distances between neighbouring times, from the first to the last. */
function distancesOf(times: readonly number[]): number[] {
  const sorted = ascending(times);
  return sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
