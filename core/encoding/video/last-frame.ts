import { isFieldRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { durationToleranceSeconds } from '../../media/outputs/verify-output.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf } from '../../media/probe/streams.ts';

// Variables of the setts filter. At the last packet there is no next one.
const isLast = 'eq(NEXT_PTS,NOPTS)';
const reorderDelay = '(STARTPTS-STARTDTS)';
const lastDts = `max(DTS,PTS-${reorderDelay})`;

/**
 * Arguments that keep the duration of the last frame of a variable rate. MP4 stores only the duration of
 * the last packet in decoding order, after its DTS, which lags behind the PTS by the reordering of B-frames: so the end
 * of all frames sets it. The filter replaces timestamps unless it is told to keep them.
 */
export function lastFrameArguments(probe: Probe, video: VideoStream, change: RateChange): string[] {
  const { framesPerSecond, baseFramesPerSecond = framesPerSecond } = video;
  const isConstant = framesPerSecond === baseFramesPerSecond || change.framesPerSecond !== undefined;
  if (isConstant || isFieldRate(video, change)) return [];
  const frame = `st(1,${frameTicks(probe, video)})`;
  const end = 'st(0,max(ld(0),PTS+ld(1)))';
  const last = `max(1,ld(0)-${lastDts}-${reorderDelay})`;
  const dts = `if(${isLast},${lastDts},DTS)`;
  return ['-bsf:v', `setts=pts=PTS:dts='${dts}':duration='${frame};${end};if(${isLast},${last},ld(1))'`];
}

/**
 * The duration of a frame in ticks, as far as it moves the end of the video. Matroska and GIF state none for their last
 * frame: it lasts until the end of the stream. Beyond the tolerance with which outputs are verified, this would hide
 * that a Matroska file is truncated.
 */
function frameTicks(probe: Probe, video: VideoStream): string {
  const isGif = video.codec === 'gif';
  // A measured duration of the file includes the audio.
  const isStated = isGif || (probe.container.includes('matroska') && video.durationSeconds !== undefined);
  const endSeconds = isStated ? endSecondsOf(probe, [video]) : undefined;
  if (endSeconds === undefined) return 'DURATION';
  const rest = `${endSeconds.toFixed(6)}/TB-PTS`;
  // A GIF's duration is the sum of its frames, so it cannot mislead.
  if (isGif) return `max(DURATION,${rest})`;
  const tolerance = durationToleranceSeconds(endSeconds).toFixed(3);
  return `if(between(${rest}-DURATION,0,${tolerance}/TB),${rest},DURATION)`;
}
