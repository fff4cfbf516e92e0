import type { VideoFormat } from '../media/formats.ts';
import type { VideoStream } from '../media/probe.ts';
import { videoCodecArguments } from '../media/video-codecs.ts';
import type { Kept } from '../media/video-filters.ts';
import { frameTimeArguments, ratesOf } from './encode-video.ts';
import type { LadderEncoding } from './ladder-encoding.ts';
import { lastFrameArguments } from './last-frame.ts';
import { splitPicture } from './split-picture.ts';
import { holdingFilters, rateArguments } from './streamed.ts';

/** Arguments that make all sizes of one decoding. */
export function ladderArguments(
  video: VideoStream,
  { sizes, streamed, kept = [] }: LadderEncoding & Kept,
): string[] {
  const filters = streamed ? { before: holdingFilters(streamed) } : { after: ['setsar=1'] };
  return ['-filter_complex', splitPicture(video, sizes, { kept, ...filters })];
}

/** Arguments that map and encode one of those sizes into a file of its own, by its place among them. */
export function sizeArguments(
  video: VideoStream,
  { size, codec, streamed, ...encoding }: LadderEncoding & { size: number; format: VideoFormat },
): string[] {
  return [
    ...['-map', `[size${size}]`],
    ...videoCodecArguments(codec, { ...encoding, ...ratesOf(video, { framesPerSecond: streamed?.heldAt }) }),
    ...(streamed ? rateArguments({ streamed, size, specifier: ':v' }) : []),
    ...frameTimeArguments({}),
    ...(streamed ? [] : lastFrameArguments(video)),
  ];
}
