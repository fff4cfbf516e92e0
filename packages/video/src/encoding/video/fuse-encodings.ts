import { dropsProjection } from '../../media/codecs/encoder-arguments.ts';
import type { TimeRange } from '../../media/ffmpeg/seek.ts';
import { taggedColors } from '../../media/filters/color-space.ts';
import { transformedSize } from '../../media/filters/video-filters.ts';
import { atOutputRate, toFps } from '../../media/frame-rate.ts';
import { type Probe, plainVideo, type Stream, type VideoStream } from '../../media/probe/probe.ts';
import { mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { stageOf, stagesOf, type VideoEncoding } from '../encoding.ts';

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
