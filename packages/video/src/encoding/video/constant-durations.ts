import { atOutputRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { mayHoldFrame } from '../../media/filters/filter.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { exactRate, type FrameRate, isVariableRate } from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { type Encoding, isLadderEncoding, isStream, outputRateChangeOf, rangeOf } from '../encoding.ts';
import type { FrameGrid } from './frame-grid.ts';

// Containers round timestamps, to a millisecond at worst: those of the first frame and of another one.
const roundingSeconds = 0.002;
// A rate that is stated as 23.976 is meant as 24000/1001, and lags behind it by half of this ratio.
const maxDrift = 2e-6;
// A frame that keeps its time is rounded to a tick.
const minTicksPerSecond = 10_000;

/**
 * The encoding with a frame grid if it writes MP4 or MOV from a source with a constant rate that misstates it, or from Matroska
 * or WebM. These count milliseconds: at 24000/1001, frames would last 41 or 42 ms, which editing programs take for a variable rate. The
 * segments of a stream are cut by the times of the source, so its frames keep them.
 */
export function withFrameGrid<Encoded extends Encoding>(
  encoding: Encoded,
  { probe, format }: { probe: Probe; format: VideoFormat },
): Encoded {
  const video = requireVideo(probe);
  // ffmpeg derives the duration of the last frame from the rate that it assumes.
  const isInexact = probe.container.includes('matroska') || video.misstatesRate === true;
  if (!isInexact || isVariableRate(video) || (format !== 'mp4' && format !== 'mov')) return encoding;
  if (rangeOf(encoding) !== undefined && mayHoldFrame(video)) return encoding;
  const isAtTempo = !isLadderEncoding(encoding) && encoding.transform.tempo !== undefined;
  if (isAtTempo || isStream(encoding)) return encoding;
  const frameGrid = frameGridOf(probe, video, outputRateChangeOf(encoding));
  return frameGrid === undefined ? encoding : { ...encoding, frameGrid };
}

/** The times of the frames of a source with a constant rate; undefined for other sources, and if the rate is converted. */
export function frameGridOf(probe: Probe, video: VideoStream, change: RateChange): FrameGrid | undefined {
  if (change.framesPerSecond !== undefined) return undefined;
  const rated = atOutputRate(video, change);
  const rate = constantRate(rated, probe);
  if (rate === undefined) return undefined;
  const [frames = 1, seconds = 1] = rate.exact.split('/').map(Number);
  const factor = Math.ceil(minTicksPerSecond / frames);
  return { ticksPerSecond: factor * frames, frameTicks: factor * seconds, drift: driftOf(rated, rate) };
}

/** The rate of a source whose average differs from it by no more than timestamps are rounded. */
function constantRate(video: VideoStream, probe: Probe): FrameRate | undefined {
  const { framesPerSecond, baseFramesPerSecond, durationSeconds = probe.durationSeconds } = video;
  if (framesPerSecond === undefined || baseFramesPerSecond === undefined) return undefined;
  const rate = exactRate(baseFramesPerSecond);
  const drift = driftOf(video, rate);
  const driftSeconds = drift * (durationSeconds ?? Number.POSITIVE_INFINITY);
  return drift <= maxDrift || driftSeconds <= roundingSeconds ? rate : undefined;
}

/** In whole billionths, rounded up. */
function driftOf({ framesPerSecond = 0 }: VideoStream, { fps }: FrameRate): number {
  return Math.max(0, Math.ceil(1e9 * Math.abs(framesPerSecond / fps - 1) - 1e-3)) / 1e9;
}
