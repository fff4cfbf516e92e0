import { atOutputRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { exactRate, type FrameRate } from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';

// Containers round timestamps, to a millisecond at worst: those of the first frame and of another one.
const roundingSeconds = 0.002;
// A rate that is stated as 23.976 is meant as 24000/1001, and lags behind it by this ratio.
const maxDrift = 2e-6;

/**
 * Arguments that give packets the durations of the constant rate of the source. Matroska rounds timestamps to
 * milliseconds: at 24000/1001, frames would last 41 or 42 ms, which editing programs take for a variable rate. The first
 * frame keeps its time, and so does a frame that lies elsewhere: Matroska may state a constant rate that is none. Only
 * for a codec whose packets are in presentation order.
 */
export function constantDurationArguments(probe: Probe, video: VideoStream, change: RateChange): string[] {
  if (change.framesPerSecond !== undefined) return [];
  const rate = constantRate(atOutputRate(video, change), probe);
  if (rate === undefined) return [];
  const [ticksPerSecond = 0, frameTicks = 0] = rate.exact.split('/').map(Number);
  // Variable 0: the ticks since the first frame. Variable 1: the same of the nearest frame at the constant rate.
  const elapsed = `st(0,(PTS-STARTPTS)*TB*${ticksPerSecond});st(1,${frameTicks}*round(ld(0)/${frameTicks}))`;
  const isNear = `lte(abs(ld(0)-ld(1)),${roundingSeconds * ticksPerSecond}+${maxDrift}*ld(0))`;
  const first = `round(STARTPTS*TB*${ticksPerSecond})`;
  const time = `${elapsed};${first}+if(${isNear},ld(1),round(ld(0)))`;
  return ['-bsf:v', `setts=ts='${time}':duration=${frameTicks}:time_base=1/${ticksPerSecond}`];
}

/** The rate of a source whose average differs from it by no more than timestamps are rounded. */
function constantRate(
  { framesPerSecond, baseFramesPerSecond, durationSeconds }: VideoStream,
  probe: Probe,
): FrameRate | undefined {
  if (framesPerSecond === undefined || baseFramesPerSecond === undefined) return undefined;
  const rate = exactRate(baseFramesPerSecond);
  const drift = Math.abs(framesPerSecond / rate.fps - 1);
  const driftSeconds = drift * (durationSeconds ?? probe.durationSeconds ?? Number.POSITIVE_INFINITY);
  return drift <= maxDrift || driftSeconds <= roundingSeconds ? rate : undefined;
}
