import * as z from 'zod';
import { type ImageFormat, imageColors } from '../../media/codecs/video-codecs.ts';
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
 * Selects the keyframe nearest to each time and scales it; `timesWithoutKeyframe` reads from the log which are not within half
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

/** The last times, of which the filter prints each that has a keyframe. */
const printedTimes = 32;

/**
 * The numbers of the times that have no keyframe within half an interval, by the log of a command with `keyframeFilters`. All
 * from the last known one on, if the keyframes end early.
 */
export function timesWithoutKeyframe(log: string, count: number): number[] {
  const printed = [...log.matchAll(/\] (-?\d+)\.0+$/gm)].map(([, value]) => Number(value));
  const runs = printed.flatMap((value, line) =>
    value < 0 ? [{ after: -value - 2, until: printed[line + 1] ?? 0 }] : [],
  );
  const last = runs.at(-1)?.until ?? (count > printedTimes ? -1 : 0);
  return [...runs, { after: last, until: count }].flatMap(({ after, until }) =>
    Array.from({ length: Math.max(0, until - after - 1) }, (_, number) => after + 1 + number),
  );
}

type Intervals = Pick<IntervalFrames, 'intervalSeconds' | 'count'>;

/** `up` takes the last frame up to each time, `near` the last frame up to half an interval after it. */
function selectAtIntervals({ intervalSeconds, count }: Intervals, round: 'up' | 'near'): Filter[] {
  const rate = filter('fps', `1/${intervalSeconds}:start_time=0:round=${round}`, { fps: 1 / intervalSeconds });
  // With `near`, the last frame has to be shown beyond its interval, or `fps` drops it.
  return [...(round === 'near' ? [holdLastFrame, rate] : [rate, holdLastFrame]), firstFrames(count)];
}

/**
 * A filter that keeps, of the frames around each time, each that is nearer than the one before. It prints the time before and the
 * time of a frame, the first as a negative number, where there are others between them and for the last times.
 */
function selectNearest({ intervalSeconds, count }: Intervals): Filter {
  const indexOf = (time: string) => `floor(${time}/${intervalSeconds}+0.5)`;
  const [index, kept] = [indexOf('t'), indexOf('prev_selected_t')];
  const distance = (time: string) => `abs(${time}-${index}*${intervalSeconds})`;
  const isNearer = `eq(${index},${kept})*lt(${distance('t')},${distance('prev_selected_t')})`;
  const isPrinted = `gt(${index},${kept})*lt(${kept},${count - 1})*(gt(${index}-${kept},1)+gte(${index},${count - printedTimes}))`;
  const print = `if(${isPrinted},print(-2-${kept})+print(${index}))`;
  return filter('select', `'isnan(prev_selected_t)+gt(${index},${kept})+${isNearer}+0*${print}'`);
}

/** The layout of frames on sheets, row by row, and their interval. */
export type Tiling = { tile: Size; columns: number; rows: number; intervalSeconds: number; durationSeconds: number };

/** The number of frames, at least one, and of sheets. */
export function tileCounts({ columns, rows, intervalSeconds, durationSeconds }: Tiling) {
  // The tolerance absorbs the rounding error of the division.
  const tiles = Math.max(1, Math.ceil(durationSeconds / intervalSeconds - 1e-6));
  return { tiles, sheets: Math.ceil(tiles / (columns * rows)) };
}

/** A WebVTT file with a cue for each frame. Its text is the position, such as `sprite-001.jpg#xywh=160,0,160,90`. */
export function tileCues(tiling: Tiling, sheets: readonly string[]): string {
  const { intervalSeconds, durationSeconds } = tiling;
  const cues = Array.from({ length: tileCounts(tiling).tiles }, (_, index) => {
    const start = index * intervalSeconds;
    const end = Math.min(start + intervalSeconds, Math.max(durationSeconds, start + 0.001));
    return `${formatTimestamp(start)} --> ${formatTimestamp(end)}\n${tileReference(tiling, index, sheets)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function tileReference({ tile, columns, rows }: Tiling, index: number, sheets: readonly string[]): string {
  const onSheet = index % (columns * rows);
  const x = (onSheet % columns) * tile.width;
  const y = Math.floor(onSheet / columns) * tile.height;
  return `${sheets[Math.floor(index / (columns * rows))]}#xywh=${x},${y},${tile.width},${tile.height}`;
}

/** `00:01:02.500` */
function formatTimestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = Math.floor(milliseconds / 1000);
  const rest = String(milliseconds % 1000).padStart(3, '0');
  return `${twoDigits(whole / 3600)}:${twoDigits((whole / 60) % 60)}:${twoDigits(whole % 60)}.${rest}`;
}

export const accuracyParameter = () =>
  z.enum(['keyframe', 'frame']).default('keyframe').meta({
    description:
      'keyframe is fast: it takes the keyframe nearest to each time, and the exact frame where none is within half an interval. frame takes the exact frame.',
  });

/** From this interval on, seeking to each frame decodes less than the whole video: a keyframe is seldom farther than 10 s. */
export const seekFromSeconds = 30;
