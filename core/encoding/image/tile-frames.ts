import { type ImageFormat, imageColors } from '../../media/codecs/image-codecs.ts';
import { normalizeFrameSize, videoFilters } from '../../media/filters/video-filters.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import type { Tiling } from './tile-cues.ts';

type Frames = Pick<Tiling, 'tile' | 'intervalSeconds'> & { format: ImageFormat; count: number };

/** Selects the frame on screen at each interval and scales it. The last frame lasts to the end. */
export function exactFrameFilters(video: VideoStream, { tile, format, ...frames }: Frames): string[] {
  const selection = selectAtIntervals(frames);
  const transform = videoFilters(video, { scale: tile, ...imageColors(format) });
  // Deinterlacing needs the neighbouring fields, which the selection drops.
  const filters = video.isInterlaced ? [...transform, ...selection] : [...selection, ...transform];
  return [...normalizeFrameSize(video), ...filters];
}

/** The input options with which `keyframeFilters` gets keyframes. */
export const keyframesOnly = ['-skip_frame', 'nokey'];

/**
 * Selects the last keyframe before each interval and scales it; `hasKeyframes` reads from the log whether each is at
 * most half an interval old. One field of an interlaced frame is enough for a tile.
 */
export function keyframeFilters(video: VideoStream, { tile, format, ...frames }: Frames): string[] {
  return [
    reportGaps(frames),
    ...selectAtIntervals(frames),
    ...(video.isInterlaced ? ['field=type=top'] : []),
    ...videoFilters({ ...video, isInterlaced: false }, { scale: tile, ...imageColors(format) }),
  ];
}

/** The filter prints one where a keyframe is too old, and the other if that of the last interval is not. */
const gapMark = -2;
const endMark = -1;

/** Reads the log of a command with `keyframeFilters`. */
export function hasKeyframes(log: string): boolean {
  const printed = [...log.matchAll(/\] (-\d)\.0+$/gm)].map(([, mark]) => Number(mark));
  return printed.includes(endMark) && !printed.includes(gapMark);
}

function selectAtIntervals({ intervalSeconds, count }: Pick<Frames, 'intervalSeconds' | 'count'>): string[] {
  return [
    `fps=1/${intervalSeconds}:start_time=0:round=up`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${count}`,
  ];
}

/** A filter that keeps every frame and prints the marks. */
function reportGaps({ intervalSeconds, count }: Pick<Frames, 'intervalSeconds' | 'count'>): string {
  const maxAge = intervalSeconds / 2;
  // The last interval that shows the keyframe before this one.
  const lastShown = `(ceil(t/${intervalSeconds})-1)*${intervalSeconds}`;
  const gap = `if(gt(${lastShown}-prev_t,${maxAge}),print(${gapMark}))`;
  const isLast = (time: string) => `gte(${time},${(count - 1) * intervalSeconds - maxAge})`;
  const end = `if(${isLast('t')}*not(${isLast('prev_t')}),print(${endMark}))`;
  return `select='1+0*(${gap}+${end})'`;
}
