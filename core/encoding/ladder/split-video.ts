import { type FrameSelection, videoFilters } from '../../media/filters/video-filters.ts';
import type { Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

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
