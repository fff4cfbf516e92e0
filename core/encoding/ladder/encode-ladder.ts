import { videoCodecArguments } from '../../media/codecs/video-codecs.ts';
import type { FrameSelection } from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { encoderFps, timestampArguments } from '../video/encode-video.ts';
import { keepLastFrameArguments } from '../video/last-frame.ts';
import type { LadderEncoding } from './ladder-encoding.ts';
import { padStartFilters, rateLimitArguments } from './segmenting.ts';
import { splitVideo } from './split-video.ts';

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
