import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import { atOutputRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { exactRate } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** The times of frames at a constant rate, in ticks that divide them exactly: 1001 of 1/24000 s. */
export type FrameGrid = {
  ticksPerSecond: number;
  frameTicks: number;
  /** By which ratio the frames of the source lag behind, as those of 23.976 do behind 24000/1001. */
  drift: number;
};

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
