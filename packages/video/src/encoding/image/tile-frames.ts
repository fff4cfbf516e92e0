import { type ImageFormat, imageColors } from '../../media/codecs/image-codecs.ts';
import { type Filter, filter, firstFrames, holdLastFrame } from '../../media/filters/filter.ts';
import { normalizeFrameSize, videoFilters, withStoredRows } from '../../media/filters/video-filters.ts';
import type { Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** Frames at equal intervals from 0 s, scaled to one size. */
export type IntervalFrames = { size: Size; intervalSeconds: number; count: number; format: ImageFormat };

/** Selects the frame on screen at each interval and scales it. The last frame lasts to the end. */
export function exactFrameFilters(video: VideoStream, { size, format, ...frames }: IntervalFrames): Filter[] {
  const selection = selectAtIntervals(frames, 'up');
  const transform = videoFilters(video, { scale: size, ...imageColors(format) });
  // Deinterlacing needs the neighbouring fields, which the selection drops.
  const filters = video.isInterlaced ? [...transform, ...selection] : [...selection, ...transform];
  return [...normalizeFrameSize(video), ...filters];
}

/** The input options with which `keyframeFilters` gets keyframes. */
export const keyframesOnly = ['-skip_frame', 'nokey'];

/**
 * Selects the keyframe nearest to each time and scales it; `hasKeyframes` reads from the log whether each is within half
 * an interval. One field of an interlaced frame is enough for a tile.
 */
export function keyframeFilters(video: VideoStream, { size, format, ...frames }: IntervalFrames): Filter[] {
  return [
    selectNearest(frames),
    ...selectAtIntervals(frames, 'near'),
    ...(video.isInterlaced ? withStoredRows(video, filter('field', 'type=top')) : []),
    ...videoFilters({ ...video, isInterlaced: false }, { scale: size, ...imageColors(format) }),
  ];
}

/** The filter prints one where no keyframe is near a time, and the other at the keyframe of the last time. */
const gapMark = -2;
const endMark = -1;

/** Reads the log of a command with `keyframeFilters`. */
export function hasKeyframes(log: string): boolean {
  const printed = [...log.matchAll(/\] (-\d)\.0+$/gm)].map(([, mark]) => Number(mark));
  return printed.includes(endMark) && !printed.includes(gapMark);
}

type Intervals = Pick<IntervalFrames, 'intervalSeconds' | 'count'>;

/** `up` takes the last frame up to each time, `near` the last frame up to half an interval after it. */
function selectAtIntervals({ intervalSeconds, count }: Intervals, round: 'up' | 'near'): Filter[] {
  const rate = filter('fps', `1/${intervalSeconds}:start_time=0:round=${round}`, {
    fps: 1 / intervalSeconds,
  });
  // With `near`, the last frame has to be shown beyond its interval, or `fps` drops it.
  return [...(round === 'near' ? [holdLastFrame, rate] : [rate, holdLastFrame]), firstFrames(count)];
}

/** A filter that keeps, of the frames around each time, each that is nearer than the one before, and prints the marks. */
function selectNearest({ intervalSeconds, count }: Intervals): Filter {
  const indexOf = (time: string) => `floor(${time}/${intervalSeconds}+0.5)`;
  const [index, kept] = [indexOf('t'), indexOf('prev_selected_t')];
  const distance = (time: string) => `abs(${time}-${index}*${intervalSeconds})`;
  const isNearer = `eq(${index},${kept})*lt(${distance('t')},${distance('prev_selected_t')})`;
  const isLast = (value: string) => `gte(${value},${count - 1})`;
  const gap = `if(gt(${index}-${kept},1)*not(${isLast(kept)}),print(${gapMark}))`;
  const end = `if(${isLast(index)}*not(${isLast(kept)}),print(${endMark}))`;
  return filter('select', `'isnan(prev_selected_t)+gt(${index},${kept})+${isNearer}+0*(${gap}+${end})'`);
}
