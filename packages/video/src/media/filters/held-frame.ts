import { mayShowFramesForLong } from '../frame-rate.ts';
import type { VideoStream } from '../probe/probe.ts';
import type { Filter } from './filter.ts';

/**
 * Whether one frame may be on screen for long, so that a time range may start with a frame from before it. Not behind a
 * deinterlacer, whose time base the filter would replace.
 */
export function mayHoldFrame(video: VideoStream): boolean {
  return mayShowFramesForLong(video) && !video.isInterlaced;
}

/**
 * A filter that shows the frame on screen at a time from then on, and drops the frames before it. The input starts with an
 * earlier frame. ffmpeg's seek, `trim` and `select` judge a frame by its start, and would drop this one too: only `fps`
 * waits for the next frame. Its single output has the time base of microseconds and no frame rate.
 */
export function startWithHeldFrame(seconds: number): Filter {
  // `fps` truncates to microseconds.
  const startTime = (seconds + 1e-7).toFixed(7);
  const text = [
    'split[now][later]',
    // The frame on screen may be the last one.
    `[now]tpad=stop=-1:stop_mode=clone,fps=1000000:start_time=${startTime},trim=end_frame=1[held]`,
    `[later]select='gt(pts,round(${seconds.toFixed(6)}/TB))'[rest]`,
    '[held][rest]interleave',
  ].join(';');
  return { name: 'interleave', text };
}
