import type { VideoStream } from '../media/probe.ts';
import type { Size } from '../media/size.ts';
import { videoFilters } from '../media/video-filters.ts';

// Less than anybody sees.
const unnoticedSeconds = 0.05;

/**
 * A filter graph that makes the picture what it has to be in the first and largest size, and shrinks that into the
 * others: one decoding, and one pass of whatever is slow. Its outputs are `[size0]` and so on. They begin at 0 s, and
 * are of exactly one shape, whatever was rounded: `scale` makes up for less than a pixel by the shape of all pixels.
 */
export function splitPicture(video: VideoStream, [largest, ...others]: readonly [Size, ...Size[]]): string {
  const filters = [...videoFilters(video, { scale: largest }), ...fromTheStart(video)];
  const chain = `[0:${video.index}]${filters.join(',')}`;
  if (others.length === 0) return `${chain}[size0]`;
  const copies = others.map((_, index) => `[copy${index + 1}]`).join('');
  const shrunk = others.map(
    ({ width, height }, index) =>
      `[copy${index + 1}]scale=${width}:${height}:flags=bicubic[size${index + 1}]`,
  );
  return [`${chain},split=${others.length + 1}[size0]${copies}`, ...shrunk].join(';');
}

/** Where the picture comes after the sound, its first frame is shown until then; that takes a constant rate. */
function fromTheStart({ startSeconds, framesPerSecond = 25 }: VideoStream): string[] {
  return startSeconds < unnoticedSeconds ? [] : [`fps=${framesPerSecond}:start_time=0`];
}
