import { videoCodecArguments } from '../../media/codecs/video-codecs.ts';
import { type FrameSelection, videoFilters } from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import type { LadderEncoding } from '../encoding.ts';
import { encoderFps, keepLastFrameArguments, timestampArguments } from '../video/encode-video.ts';
import { padStartFilters, rateLimitArguments } from './segmenting.ts';

/** Arguments that make all sizes of one decoding. */
export function ladderArguments(
  video: VideoStream,
  { sizes, segmenting, selectFilters = [] }: LadderEncoding & FrameSelection,
): string[] {
  const filters = segmenting ? { before: padStartFilters(segmenting) } : { after: ['setsar=1'] };
  return ['-filter_complex', splitVideo(video, sizes, { selectFilters, ...filters })];
}

/** Arguments that map and encode one of those sizes into a file of its own, by its place among them. */
export function renditionArguments(
  video: VideoStream,
  { size, codec, segmenting, ...encoding }: LadderEncoding & { size: number; format: VideoFormat },
): string[] {
  return [
    ...['-map', `[size${size}]`],
    ...videoCodecArguments(codec, {
      ...encoding,
      ...encoderFps(video, { framesPerSecond: segmenting?.padStartFps }),
    }),
    ...(segmenting ? rateLimitArguments({ segmenting, size, specifier: ':v' }) : []),
    ...timestampArguments({}),
    ...(segmenting ? [] : keepLastFrameArguments(video)),
  ];
}

/**
 * A filter graph that makes the picture what it has to be in the first and largest size, and shrinks that into the
 * others: one decoding, and one pass of whatever is slow. Its outputs are `[size0]` and so on. `before` are filters that
 * the picture passes before it is split, `after` those that each smaller one passes in the end.
 */
export function splitVideo(
  video: VideoStream,
  [largest, ...others]: readonly [Size, ...Size[]],
  {
    before = [],
    after = [],
    selectFilters = [],
  }: { before?: readonly string[]; after?: readonly string[] } & FrameSelection,
): string {
  const filters = [...videoFilters(video, { scale: largest, selectFilters }), ...before];
  const chain = `[0:${video.index}]${filters.join(',')}`;
  if (others.length === 0) return `${chain}[size0]`;
  const copies = others.map((_, index) => `[copy${index + 1}]`).join('');
  const shrunk = others.map(({ width, height }, index) => {
    const shrink = [`scale=${width}:${height}:flags=bicubic`, ...after].join(',');
    return `[copy${index + 1}]${shrink}[size${index + 1}]`;
  });
  return [`${chain},split=${others.length + 1}[size0]${copies}`, ...shrunk].join(';');
}
