import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import { isFieldRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { durationToleranceSeconds } from '../../media/outputs/verify-output.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf } from '../../media/probe/streams.ts';

// Variables of the setts filter. At the last packet there is no next one.
const isLast = 'eq(NEXT_PTS,NOPTS)';
const reorderDelay = '(STARTPTS-STARTDTS)';
const lastDts = `max(DTS,PTS-${reorderDelay})`;

/**
 * Arguments that keep the duration of the last frame of a variable rate. MP4 stores only the duration of the last packet
 * in decoding order, after its DTS, which lags behind the PTS by the reordering of B-frames: so the end of all frames
 * sets it. The filter replaces timestamps unless an option keeps them.
 */
export function lastFrameArguments(probe: Probe, video: VideoStream, change: RateChange): string[] {
  return hasOwnLastFrame(video, change) ? setLastDuration(frameTicks(probe, video)) : [];
}

/** The same for copied packets: the last frame lasts until `endSeconds`. */
export function lastFrameUntil(video: VideoStream, change: RateChange, endSeconds: number): string[] {
  const rest = restTicks(endSeconds);
  // The join knows only the distance of frames, as their duration.
  return hasOwnLastFrame(video, change) ? setLastDuration(`if(gt(${rest},0),${rest},DURATION)`) : [];
}

/** Whether the last frame of a copied video lasts until its end, whatever the packet states. */
export function hasOwnLastFrame(video: VideoStream, change: RateChange): boolean {
  const { framesPerSecond, baseFramesPerSecond = framesPerSecond } = video;
  const isConstant = framesPerSecond === baseFramesPerSecond || change.framesPerSecond !== undefined;
  return !isConstant && !isFieldRate(video, change);
}

/** `ticks` is an expression of the duration of each frame. */
function setLastDuration(ticks: string): string[] {
  // Variable 1: the duration of this frame. Variable 0: the latest end of a frame so far.
  const end = `st(1,${ticks});st(0,max(ld(0),PTS+ld(1)))`;
  const last = `max(1,ld(0)-${lastDts}-${reorderDelay})`;
  const dts = `if(${isLast},${lastDts},DTS)`;
  return ['-bsf:v', `setts=pts=PTS:dts='${dts}':duration='${end};if(${isLast},${last},ld(1))'`];
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
export function statedEndSeconds(
  { container }: Pick<Probe, 'container'>,
  video: VideoStream,
): number | undefined {
  const { startSeconds, durationSeconds } = video;
  if (!hasContinuousTimestamps(container) || durationSeconds === undefined) return undefined;
  return startSeconds + durationSeconds;
}

function restTicks(endSeconds: number): string {
  return `${endSeconds.toFixed(6)}/TB-PTS`;
}
