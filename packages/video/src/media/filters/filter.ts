import { type ExactRate, mayShowFramesForLong, toFps } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { VideoStream } from '../probe/probe.ts';

/** What the frames behind a filter are. What is left out stays as it was. */
export type FrameChange = {
  width?: number;
  height?: number;
  fps?: number;
  /** Seconds of a source filter; behind any other filter, at most so many. */
  seconds?: number;
  /** The number of all frames. */
  frames?: number;
  perFrame?: number;
  /** Speed relative to that before. */
  tempo?: number;
  isTenBit?: boolean;
  /** The color matrix that the frames are converted to. */
  matrix?: string;
};

/** A filter, or several that the cost model measures together. */
export type Filter = {
  /** ffmpeg's name, or that of a line of the cost table. */
  name: string;
  /** The filter with its options as ffmpeg reads it. */
  text: string;
  out?: FrameChange;
};

export function filter(name: string, options?: string, out?: FrameChange): Filter {
  return { name, text: options === undefined ? name : `${name}=${options}`, ...(out && { out }) };
}

/** Filters that the cost model measures as one. */
export function measuredTogether(name: string, filters: readonly Filter[]): Filter {
  return { name, text: chainText(filters) };
}

export function formatFilter(pixelFormat: string): Filter {
  return filter('format', pixelFormat, { isTenBit: /(1[02]|f32)le$/.test(pixelFormat) });
}

/** A size as the first options of `scale`, `crop` and `pad`. */
export function sizeOption({ width, height }: Size): string {
  return `${width}:${height}`;
}

/** Options of `scale` for a size in which frames of another shape keep theirs, and behind them the filter of the bars. */
export function letterbox(frame: Size): { size: string; bars: string } {
  const { width, height } = frame;
  // A size is rounded by up to a pixel.
  const fits = `lt(abs(dar*${height}-${width}),${width}/50+dar+1)`;
  const side = (pixels: number, share: string) => `'if(${fits},${pixels},2*round(${pixels}*min(1,${share})/2))'`;
  const shape = `dar*${height}/${width}`;
  return {
    size: `w=${side(width, shape)}:h=${side(height, `1/(${shape})`)}:eval=frame`,
    bars: `,pad=${sizeOption(frame)}:-1:-1:color=black:eval=frame`,
  };
}

/** Repeats the last frame once, at its end. */
export const repeatLastFrame = filter('tpad', 'stop=1:stop_mode=clone');

/** Repeats the last frame without end. */
export const holdLastFrame = filter('tpad', 'stop=-1:stop_mode=clone');

/** Converts to a constant frame rate. */
export function constantRate(rate: number | ExactRate, options = ''): Filter {
  return filter('fps', `${rate}${options}`, { fps: toFps(rate) });
}

/**
 * Filters ahead of `fps`. A container that states the rate of the fields ends the last frame half way, where `fps` would
 * drop its second field.
 */
export function lastFieldFilters({ statesFieldRate }: Pick<VideoStream, 'statesFieldRate'>): Filter[] {
  return statesFieldRate ? [repeatLastFrame] : [];
}

/**
 * From a frame to the next one that is kept. It is less than a 60th of a second: cameras and containers that count
 * milliseconds time frames of 60 per second up to two milliseconds early, and those are no surplus.
 */
const minFrameSeconds = 0.014;

/** A filter that drops the surplus frames of a video with more than 60 per second. The others keep their times. */
export const limitFrameRate = filter(
  'select',
  `'isnan(prev_selected_pts)+gte((pts-prev_selected_pts)*TB,${minFrameSeconds})'`,
);

/** The frames that `limitFrameRate` keeps, as ffmpeg calculates: the same from any of them on. */
export function framesWithinLimit(pts: Float64Array, tickSeconds: number): number[] {
  const kept: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [frame, time] of pts.entries()) {
    if ((time - last) * tickSeconds < minFrameSeconds) continue;
    kept.push(frame);
    last = time;
  }
  return kept;
}

export function firstFrames(frames: number): Filter {
  return filter('trim', `end_frame=${frames}`, { frames });
}

/** Keeps the frames between two times, in seconds as ffmpeg reads them. */
export function trimSeconds({ start, end }: { start?: string | undefined; end?: string | undefined }): Filter[] {
  const bounds = [...(start === undefined ? [] : [`start=${start}`]), ...(end === undefined ? [] : [`end=${end}`])];
  if (bounds.length === 0) return [];
  const seconds = Number(end) - Number(start ?? 0);
  return [filter('trim', bounds.join(':'), end === undefined ? undefined : { seconds })];
}

/** Filters one after the other, from pads of a graph to other pads. A pad is a stream such as `0:1`, or a label. */
export type Chain = { from?: readonly string[]; filters: readonly Filter[]; to?: readonly string[] };

/** A filter graph. A chain reads the labels of the chains before it. */
export type FilterGraph = readonly Chain[];

export function chainText(filters: readonly Filter[]): string {
  return filters.map(({ text }) => text).join(',');
}

export function graphText(graph: FilterGraph): string {
  const pads = (labels: readonly string[] = []) => labels.map((label) => `[${label}]`).join('');
  return graph.map(({ from, filters, to }) => `${pads(from)}${chainText(filters)}${pads(to)}`).join(';');
}

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
