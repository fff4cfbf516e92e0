import { type ImageFormat, imageColors, imageEncoders } from '../../media/codecs/video-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { seekPoint, seekVideo } from '../../media/ffmpeg/seek.ts';
import { type Filter, filter, holdLastFrame } from '../../media/filters/filter.ts';
import { keepFilterGraph, normalizeFrameSize, videoFilters } from '../../media/filters/video-filters.ts';
import { containerArguments } from '../../media/formats.ts';
import { fitInside, maxSidePixels, requireEncodableSize, roundedSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideoStream } from '../../media/probe/streams.ts';
import { integer } from '../../values.ts';
import { dropOtherStreams, outputFile } from '../options.ts';
import type { PlanInput, PlannedOutput } from '../plan.ts';

// Minimum rate of the frames to choose from. The chosen frame may be off by half a frame at this rate.
const minSearchFps = 25;
// `best` compares this many frames, spread over at most this many seconds.
const candidates = 24;
const maxSearchSeconds = 20;

export const frameWidthParameter = () =>
  integer(16, maxSidePixels)
    .optional()
    .meta({ description: 'Width in pixels; the height follows. Default: the width of the video.' });

export type FrameRequest = {
  name: string;
  /** Seconds from the start, or the most representative of the sharp frames near the start. */
  at: number | 'best';
  /** Width in pixels; default: that of the source. */
  width?: number | undefined;
  /** The color behind a transparent video. Default: transparent if the format can be, else white. */
  background?: string | undefined;
};

/** A command that writes one frame of the input as a PNG, for an image of several in the format of the input's plan. */
export function extractTile(
  input: PlanInput<unknown, ImageFormat>,
  request: Omit<FrameRequest, 'background'>,
): ReturnType<typeof extractFrame> {
  const { background } = imageColors(input.format, '#ffffff');
  return extractFrame({ ...input, format: 'png' }, { ...request, background });
}

export function extractFrame(
  input: PlanInput<unknown, ImageFormat>,
  { name, at, width, background }: FrameRequest,
): { command: Command; output: PlannedOutput } {
  const video = requireVideoStream(input.probe);
  const { format } = input;
  const scale = requireEncodableSize(roundedSize(fitInside(video, { width: width ?? video.width })));
  const { output, path } = outputFile(input, { video: { codec: imageEncoders[format].codec, ...scale } }, name);
  const { options, before = [], after = [] } = frameChoice(input.probe, video, at);
  const transform = videoFilters(video, { scale, ...imageColors(format), ...(background && { background }) });
  const outputArguments = [
    ...['-map', `0:${video.index}`],
    ...['-vf', [{ filters: [...normalizeFrameSize(video), ...before, ...transform, ...after] }]],
    ...['-frames:v', '1', '-update', '1', '-an', ...imageEncoders[format].arguments],
    ...dropOtherStreams,
    ...containerArguments(format),
    path,
  ];
  return { command: { inputs: [{ path: input.inputPath, options }], outputArguments }, output };
}

type FrameChoice = { options: string[]; before?: Filter[]; after?: Filter[] };

function frameChoice(probe: Probe, video: VideoStream, at: FrameRequest['at']): FrameChoice {
  const endSeconds = endSecondsOf(probe, [video]);
  if (endSeconds === undefined) return { options: [] };
  const { options, ...filters } =
    at === 'best'
      ? representativeFrame(probe, video, endSeconds)
      : frameShownAt(probe, video, Math.min(at, endSeconds));
  return { options: [...keepFilterGraph(video), ...options], ...filters };
}

/** The frame that is most similar to the others, after the first tenth, which is often black. */
function representativeFrame(probe: Probe, video: VideoStream, endSeconds: number): FrameChoice {
  const start = endSeconds * 0.1;
  const span = Math.min(maxSearchSeconds, endSeconds * 0.8);
  const from = seekPoint(probe, start);
  return {
    // Includes the frame shown at the start of the search: it may be the only one.
    options: [...seekBefore(probe, video, from), '-t', (start - from + span).toFixed(3)],
    before: [framesFrom(start - from, candidates / span)],
    // After scaling: the filters hold all candidates in memory.
    after: [...framesInFocus, filter('thumbnail', `n=${candidates}`, { perFrame: 1 / candidates })],
  };
}

/**
 * Drops frames that are clearly less sharp than the sharpest, by the width of their edges in pixels. Sharp edges have up to
 * five. A frame without edges, such as a black one, stays only if all are such. The first pass compares with the frames before
 * each one, the second, in reverse, with those after it.
 */
const framesInFocus: Filter[] = (() => {
  const width = 'st(0,if(isnan(VALUE1),1000,max(VALUE1,5)))';
  const least = 'st(1,if(ld(2),min(ld(0),ld(1)),ld(0)))';
  const expression = [width, least, 'st(2,1)', 'lte(ld(0),1.25*ld(1))'].join(';');
  const select = filter('metadata', `select:lavfi.blur:0:function=expr:expr='${expression}'`);
  return [filter('blurdetect'), select, filter('reverse'), select];
})();

/** The frame on screen at a time: decoding starts at the keyframe before it, and the last frame lasts until the end. */
function frameShownAt(probe: Probe, video: VideoStream, time: number): FrameChoice {
  const from = seekPoint(probe, time);
  return {
    options: seekBefore(probe, video, from),
    before: [holdLastFrame, framesFrom(time - from, Math.max(minSearchFps, video.framesPerSecond ?? 0))],
  };
}

function framesFrom(seconds: number, fps: number): Filter {
  return filter('fps', `${fps.toFixed(3)}:start_time=${seconds.toFixed(3)}`, { fps });
}

function seekBefore(probe: Probe, video: VideoStream, seconds: number): string[] {
  return ['-noaccurate_seek', ...seekVideo(probe, video, seconds)];
}
