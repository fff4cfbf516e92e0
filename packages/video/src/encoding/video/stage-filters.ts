import { type Filter, formatFilter } from '../../media/filters/filter.ts';
import { type FrameSelection, transformedSize, videoFilters } from '../../media/filters/video-filters.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import type { EncodingStage, VideoEncoding } from '../encoding.ts';
import { drawSubtitles } from '../subtitle-style.ts';
import { stagesOf } from './fuse-encodings.ts';
import { rangeSeek } from './time-range.ts';

/** Of frames that an encoder would have written between two steps. */
const formatBetween = 'yuv420p';

/** The filters of all stages of an encoding, those ahead of its overlay and those behind. */
export function stageFilters(
  video: VideoStream,
  encoding: VideoEncoding,
  { pixelFormat, selectFilters }: FrameSelection & { pixelFormat: string },
): { filters: Filter[]; after: Filter[] } {
  const stages = stagesOf(video, encoding);
  const changesRate = ({ transform }: EncodingStage) => (transform.framesPerSecond ?? transform.tempo) !== undefined;
  // The rate may be that of the source as a whole, not of a step.
  const rateStage = Math.max(0, stages.findIndex(changesRate));
  const { framesPerSecond } = encoding.transform;
  const lists = stages.map((stage, index) => {
    const isLast = index === stages.length - 1;
    const ofWhole = index === rateStage ? { ...(framesPerSecond && { framesPerSecond }), selectFilters } : {};
    return [
      ...videoFilters(stage.video, {
        ...stage.transform,
        ...ofWhole,
        pixelFormat: isLast ? pixelFormat : formatBetween,
      }),
      ...(stage.drawsSubtitles && encoding.subtitles
        ? [drawSubtitles(encoding.subtitles, transformedSize(stage.transform))]
        : []),
      ...(encoding.stages ? (stage.finalFilters ?? []) : []),
      ...(isLast ? [] : [formatFilter(formatBetween)]),
    ];
  });
  const overlaid = stages.findIndex((stage) => stage.drawsOverlay);
  const ahead = overlaid === -1 ? lists.length : overlaid + 1;
  return { filters: lists.slice(0, ahead).flat(), after: lists.slice(ahead).flat() };
}

/** By how many seconds the times that burned subtitles count are ahead of those behind the seek of a range. */
export function subtitlesAhead(probe: Probe, { range, stages = [] }: VideoEncoding): number {
  const drawn = stages.find((stage) => stage.drawsSubtitles);
  return range === undefined || drawn === undefined ? 0 : rangeSeek(probe, range).seekSeconds - drawn.originSeconds;
}
