import { taggedColors } from '../../media/filters/color-space.ts';
import { atOutputRate } from '../../media/filters/deinterlace.ts';
import { type Filter, formatFilter } from '../../media/filters/filter.ts';
import { dropsProjection } from '../../media/filters/projection.ts';
import { type FrameSelection, transformedSize, videoFilters } from '../../media/filters/video-filters.ts';
import { toFps } from '../../media/frame-rate.ts';
import { type Probe, plainVideo, type Stream, type VideoStream } from '../../media/probe/probe.ts';
import { mainAudio, requireVideo } from '../../media/probe/streams.ts';
import type { EncodingStage, VideoEncoding } from '../encoding.ts';
import { drawSubtitles } from '../overlay.ts';
import { rangeSeek, type TimeRange } from './time-range.ts';

/** The stages of an encoding, of which one that is not fused has a single one. */
export function stagesOf(video: VideoStream, encoding: VideoEncoding): readonly EncodingStage[] {
  return encoding.stages ?? [stageOf(video, encoding)];
}

function stageOf(
  video: VideoStream,
  { transform, subtitles, overlay, finalFilters, range }: VideoEncoding,
  originSeconds = range?.start ?? 0,
): EncodingStage {
  return {
    video,
    transform,
    originSeconds,
    ...(subtitles && { drawsSubtitles: true }),
    ...(overlay && { drawsOverlay: true }),
    ...(finalFilters && { finalFilters }),
  };
}

/**
 * One encoding whose frames pass through the filters of an earlier one, and then through those of the next one, which encodes
 * them. It reads the source of the earlier one.
 * @param earlier with the stages of all steps before
 * @param next planned on what the earlier one would write; its only stage is the last
 */
export function fuseEncodings(
  earlier: VideoEncoding,
  next: VideoEncoding,
  video: { source: VideoStream; next: VideoStream },
): VideoEncoding {
  const stages = stagesOf(video.source, earlier);
  const range = addRange(earlier.range, next.range);
  const { subtitles = earlier.subtitles, overlay = earlier.overlay, audioSource = earlier.audioSource } = next;
  const audioFilters = [...(earlier.audioFilters ?? []), ...(next.audioFilters ?? [])];
  const { deinterlace, tempo, framesPerSecond } = earlier.transform;
  const { finalFilters: _, ...rest } = next;
  return {
    ...rest,
    // What decides about times and the source as a whole, and the last size.
    transform: { ...{ tempo, framesPerSecond }, ...next.transform, deinterlace, background: undefined },
    stages: [...stages, stageOf(video.next, next, range?.start)],
    ...(range && { range }),
    ...(subtitles && { subtitles }),
    ...(overlay && { overlay }),
    ...(audioSource && { audioSource }),
    ...(audioFilters.length > 0 && { audioFilters }),
    ...((earlier.isMuted || next.isMuted) && { isMuted: true }),
  };
}

/** The range of the source that a range of another range is. */
function addRange(first: TimeRange | undefined, second: TimeRange | undefined): TimeRange | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const { start, end } = first;
  return { start: start + second.start, end: Math.min(end, start + second.end) };
}

/**
 * What a probe of the output of an encoding would report, without its container: streams keep their numbers in the source, from
 * which a fused encoding reads them.
 * @param probe of what the encoding reads: the source, or an earlier result of this function
 * @param own the encoding of this step alone
 */
export function probeBehind(
  probe: Probe,
  own: Pick<VideoEncoding, 'transform' | 'finalFilters' | 'range' | 'isMuted'>,
): Probe {
  const { range, transform, isMuted } = own;
  const { start: rangeStart = 0, end: rangeEnd = Number.POSITIVE_INFINITY } = range ?? {};
  const { tempo = 1 } = transform;
  const place = <Kind extends Stream>(stream: Kind): Kind => {
    const { startSeconds, durationSeconds = probe.durationSeconds } = stream;
    const start = Math.max(0, startSeconds - rangeStart);
    const end = Math.min(startSeconds + (durationSeconds ?? Number.NaN), rangeEnd) - rangeStart;
    const seconds = (end - start) / tempo;
    return {
      ...stream,
      startSeconds: start / tempo,
      durationSeconds: Number.isNaN(seconds) ? undefined : Math.max(0, seconds),
    };
  };
  const audio = isMuted ? undefined : mainAudio(probe);
  const streams = [place(videoBehind(requireVideo(probe), own)), ...(audio ? [place(audio)] : [])];
  const ends = streams.map(({ startSeconds, durationSeconds = Number.NaN }) => startSeconds + durationSeconds);
  const durationSeconds = Math.max(...ends);
  return { ...probe, streams, durationSeconds: Number.isNaN(durationSeconds) ? undefined : durationSeconds };
}

/** Behind the filters, frames are upright and progressive, in standard dynamic range, 4:2:0 in 8 bits, with square pixels. */
function videoBehind(
  video: VideoStream,
  { transform, finalFilters }: Pick<VideoEncoding, 'transform' | 'finalFilters'>,
): VideoStream {
  const { framesPerSecond: constant } = transform;
  const size = transformedSize(transform);
  const rated = atOutputRate(video, transform);
  const fps = constant === undefined ? undefined : toFps(constant);
  return {
    ...plainVideo,
    index: video.index,
    codec: 'h264',
    // A recipe that shows the first frame from 0 on does it by final filters.
    startSeconds: finalFilters === undefined ? video.startSeconds : 0,
    durationSeconds: video.durationSeconds,
    ...size,
    framesPerSecond: fps ?? rated.framesPerSecond,
    baseFramesPerSecond: fps ?? rated.baseFramesPerSecond,
    pixelFormat: 'yuv420p',
    ...taggedColors(video, size),
    chromaLocation: video.hdrTransfer === undefined ? video.chromaLocation : undefined,
    projection: dropsProjection(video, transform) ? undefined : video.projection,
    hasCaptions: video.hasCaptions,
  };
}

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
