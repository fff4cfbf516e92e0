import { codecsWithoutDurations, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import { hasContinuousTimestamps, videoSecondsOf } from '../../media/ffmpeg/seek.ts';
import { type Filter, mayHoldFrame, repeatLastFrame } from '../../media/filters/filter.ts';
import type { VideoFormat } from '../../media/formats.ts';
import {
  atOutputRate,
  durationToleranceSeconds,
  exactRate,
  type FrameRate,
  isFieldRate,
  isVariableRate,
  mayShowFramesForLong,
  type RateChange,
} from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { type Encoding, type FrameGrid, isLadderEncoding, outputRateChangeOf } from '../encoding.ts';
import type { PlanInput } from '../plan.ts';

// Variables of the setts filter. At the last packet there is no next one.
const isLast = 'eq(NEXT_PTS,NOPTS)';

const reorderDelay = '(STARTPTS-STARTDTS)';

const millisecond = 'ceil(0.001/TB)';

const lastDts = `max(DTS,PTS-${reorderDelay})`;

/**
 * Arguments that keep the duration of the last frame of a variable rate. MP4 stores only the duration of the last packet
 * in decoding order, after its DTS, which lags behind the PTS by the reordering of B-frames: so the end of all frames
 * sets it. The filter replaces timestamps unless an option keeps them. `lastFrameFilters` belong to the same command.
 * The last frame of a time range is on screen until its end, also of a slow constant rate.
 */
export function lastFrameArguments(
  { probe, format }: Pick<PlanInput<unknown, VideoFormat>, 'probe' | 'format'>,
  video: VideoStream,
  encoding: Encoding,
): string[] {
  if (!hasOwnLastFrame(video, encoding)) return [];
  const range = encoding.range;
  if (range) return ['-bsf:v', setLastDuration(restTicks(videoSecondsOf(probe, video, range)), format)];
  const durations = codecsWithoutDurations.includes(encoding.codec) ? durationsFromTimes : [];
  return ['-bsf:v', [...durations, setLastDuration(frameTicks(probe, video), format)].join(',')];
}

/** Filters of frames that repeat the last one at its end, once, for an encoder that does not state this end. */
export function lastFrameFilters(video: VideoStream, encoding: Encoding): Filter[] {
  const losesEnd =
    encoding.range === undefined && codecsWithoutDurations.includes(encoding.codec) && hasOwnLastFrame(video, encoding);
  return losesEnd ? [repeatLastFrame] : [];
}

/**
 * Filters of packets that drop the repeated frame and leave its time as the end of the frame before. Packets of AV1 come
 * in presentation order, so the repeated frame has the last one, which alone has no next packet and so no duration.
 */
const durationsFromTimes = [`setts=pts=PTS:dts=DTS:duration='if(${isLast},0,NEXT_PTS-PTS)'`, "noise=drop='eq(d,0)'"];

/** Arguments for copied packets: the last frame lasts until `endSeconds`. */
export function lastFrameUntil(
  video: VideoStream,
  encoding: Encoding,
  { endSeconds, format }: { endSeconds: number; format: VideoFormat },
): string[] {
  if (!hasOwnLastFrame(video, encoding)) return [];
  const rest = restTicks(endSeconds);
  // The join knows only the distance of frames, as their duration.
  return ['-bsf:v', setLastDuration(`if(gt(${rest},0),${rest},DURATION)`, format)];
}

/** Arguments for packets whose durations a filter lost: MP4 hides a last frame without one. */
export const someDuration = ['-bsf:v', `setts=pts=PTS:dts=DTS:duration='max(DURATION,${millisecond})'`];

/** Whether the last frame of a copied video lasts until its end, whatever the packet states. */
export function hasOwnLastFrame(video: VideoStream, encoding: Encoding): boolean {
  const change = outputRateChangeOf(encoding);
  const mayShowForLong = encoding.range === undefined ? isVariableRate(video) : mayShowFramesForLong(video);
  return mayShowForLong && change.framesPerSecond === undefined && !isFieldRate(video, change);
}

/** A filter of packets. `ticks` is an expression of the duration of each frame. */
function setLastDuration(ticks: string, format: VideoFormat): string {
  // Variable 1: the duration of this frame. Variable 0: the latest end of a frame so far.
  const end = `st(1,${ticks});st(0,max(ld(0),PTS+ld(1)))`;
  // Matroska takes a duration of no millisecond for a missing one.
  const minTicks = format === 'mkv' || format === 'webm' ? millisecond : 1;
  const last = `max(${minTicks},ld(0)-${lastDts}-${reorderDelay})`;
  const dts = `if(${isLast},${lastDts},DTS)`;
  return `setts=pts=PTS:dts='${dts}':duration='${end};if(${isLast},${last},ld(1))'`;
}

/**
 * The duration of a frame in ticks, as far as it moves the end of the video. Matroska, GIF and MP4 with B-frames state
 * none for their last frame: it lasts until the end of the stream. Beyond the tolerance with which outputs are verified,
 * this would hide that a file is truncated.
 */
function frameTicks(probe: Probe, video: VideoStream): string {
  // A GIF's duration is the sum of its frames, so it cannot mislead.
  if (video.codec === 'gif') {
    const endSeconds = endSecondsOf(probe, [video]);
    return endSeconds === undefined ? 'DURATION' : `max(DURATION,${restTicks(endSeconds)})`;
  }
  const endSeconds = statedEndSeconds(probe, video);
  if (endSeconds === undefined) return 'DURATION';
  const rest = restTicks(endSeconds);
  const tolerance = durationToleranceSeconds(endSeconds).toFixed(3);
  return `if(between(${rest}-DURATION,0,${tolerance}/TB),${rest},DURATION)`;
}

/** The end of the video, if the container states that of each stream. A measured duration includes the audio. */
export function statedEndSeconds({ container }: Pick<Probe, 'container'>, video: VideoStream): number | undefined {
  const { startSeconds, durationSeconds } = video;
  if (!hasContinuousTimestamps(container) || durationSeconds === undefined) return undefined;
  return startSeconds + durationSeconds;
}

function restTicks(endSeconds: number): string {
  return `${endSeconds.toFixed(6)}/TB-PTS`;
}

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
  if (encoding.range !== undefined && mayHoldFrame(video)) return encoding;
  const isAtTempo = !isLadderEncoding(encoding) && encoding.transform.tempo !== undefined;
  if (isAtTempo || encoding.segmenting !== undefined) return encoding;
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

// A container rounds two times to a millisecond: that of the first frame and that of another one.
const maxDistanceSeconds = 0.00105;

/**
 * A filter of packets that moves each to the nearest time of the grid, counted from the first frame, and gives it the
 * duration of a frame. A frame that lies elsewhere keeps its time: Matroska may state a constant rate that is none.
 * Decoding times move by the same function, so they stay in order and before those of presentation.
 * @param firstSeconds the time of the first frame of the whole video; default: that of the first packet
 */
export function moveToGrid({ ticksPerSecond, frameTicks, drift }: FrameGrid, firstSeconds?: number): string {
  const first = firstSeconds === undefined ? 'STARTPTS' : `round(${firstSeconds.toFixed(6)}/TB)`;
  // Variable 0: the ticks since the first frame. Variable 1: the same of the nearest time of the grid.
  const isNear = `lte(abs(ld(0)-ld(1)),${maxDistanceSeconds * ticksPerSecond}+${drift.toFixed(9)}*ld(0))`;
  const moved = (time: string) =>
    [
      `st(0,(${time}-${first})*TB*${ticksPerSecond})`,
      `st(1,${frameTicks}*round(ld(0)/${frameTicks}))`,
      `round(${first}*TB*${ticksPerSecond})+if(${isNear},ld(1),round(ld(0)))`,
    ].join(';');
  return `setts=pts='${moved('PTS')}':dts='${moved('DTS')}':duration=${frameTicks}:time_base=1/${ticksPerSecond}`;
}

/** The function of that filter, calculated as ffmpeg does, from ticks of a source to ticks of the grid. */
export function gridTicks(
  { ticksPerSecond, frameTicks, drift }: FrameGrid,
  { ticks, firstTicks, tickSeconds }: { ticks: number; firstTicks: number; tickSeconds: number },
): number {
  const elapsed = (ticks - firstTicks) * tickSeconds * ticksPerSecond;
  const nearest = frameTicks * Math.round(elapsed / frameTicks);
  const isNear = Math.abs(elapsed - nearest) <= maxDistanceSeconds * ticksPerSecond + drift * elapsed;
  return Math.round(firstTicks * tickSeconds * ticksPerSecond) + (isNear ? nearest : Math.round(elapsed));
}

/**
 * Filters of packets that state the constant frame rate of the source in an H.264 stream. x264 states the time base, such
 * as 12,800 ticks a second, which some players and analyzers take for the rate. A variable rate has no better one, and a
 * converted rate is the time base. x265 states the rate itself, VP9 and SVT-AV1 none.
 */
export function statedRateFilters(codec: VideoCodec, video: VideoStream, change: RateChange): string[] {
  const { framesPerSecond, baseFramesPerSecond } = atOutputRate(video, change);
  const isConstant = framesPerSecond !== undefined && framesPerSecond === baseFramesPerSecond;
  if (codec !== 'h264' || change.framesPerSecond !== undefined || !isConstant) return [];
  const [frames, seconds] = exactRate(framesPerSecond).exact.split('/').map(Number);
  // A tick is a field (ITU-T H.264, E.2.1).
  return [`h264_metadata=tick_rate=${2 * Number(frames)}/${seconds}`];
}
