import type { VideoFormat } from '../media/formats.ts';
import type { VideoStream } from '../media/probe.ts';
import { videoCodecArguments } from '../media/video-codecs.ts';
import type { Kept } from '../media/video-filters.ts';
import { frameTimeArguments } from './encode-video.ts';
import type { LadderEncoding } from './ladder-encoding.ts';
import { lastFrameArguments } from './last-frame.ts';
import { splitPicture } from './split-picture.ts';

/** Arguments that make all sizes of one decoding. */
export function ladderArguments(video: VideoStream, { sizes, kept = [] }: LadderEncoding & Kept): string[] {
  return ['-filter_complex', splitPicture(video, sizes, { kept, after: ['setsar=1'] })];
}

/** Arguments that map and encode one of those sizes, by its place among them. */
export function sizeArguments(
  video: VideoStream,
  { size, codec, ...encoding }: LadderEncoding & { size: number; format: VideoFormat },
): string[] {
  return [
    ...['-map', `[size${size}]`],
    ...videoCodecArguments(codec, encoding),
    ...frameTimeArguments({}),
    ...lastFrameArguments(video),
  ];
}
