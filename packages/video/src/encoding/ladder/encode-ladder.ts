import { encodedPixelFormat, projectionArguments, videoCodecArguments } from '../../media/codecs/encoder-arguments.ts';
import type { Argument } from '../../media/ffmpeg/command.ts';
import { keptChromaOptions } from '../../media/filters/color-space.ts';
import { type Filter, type FilterGraph, filter, lastFieldFilters, limitFrameRate } from '../../media/filters/filter.ts';
import { type FrameSelection, type FrameTransform, videoFilters } from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { atOutputRate, type RateChange, signalledMaxFps } from '../../media/frame-rate.ts';
import type { Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import type { LadderEncoding, VideoEncoding } from '../encoding.ts';
import { encoderFps, type GridStart, packetFilters, timestampArguments } from '../video/encode-video.ts';
import { constantRateFilters, limitsFrameRate, rateLimitArguments } from './ladder.ts';

/** Arguments that decode the input once and scale it to all sizes. */
export function ladderArguments(
  video: VideoStream,
  encoding: LadderEncoding & FrameSelection & Pick<VideoEncoding, 'finalFilters'>,
): Argument[] {
  const { codec, sizes, segmenting, deinterlace, selectFilters: selected = [], finalFilters = [] } = encoding;
  // Behind the selection: from the first frame of a chunk on, the same frames are kept as in a single pass.
  const selectFilters = [...selected, ...(limitsFrameRate(segmenting) ? [limitFrameRate] : [])];
  const constantRate = segmenting ? constantRateFilters(segmenting) : [];
  const before = constantRate.length === 0 ? [] : [...lastFieldFilters(video), ...constantRate];
  const pixelFormat = encodedPixelFormat(codec, encoding);
  const options = { selectFilters, finalFilters, deinterlace, before, pixelFormat };
  return ['-filter_complex', splitVideo(video, sizes, options)];
}

/** Arguments that map and encode one size into a file of its own. `size` is its index. */
export function renditionArguments(
  video: VideoStream,
  { size, ...encoding }: LadderEncoding & GridStart & { size: number; format: VideoFormat },
): string[] {
  const { codec, segmenting, deinterlace } = encoding;
  const change = { framesPerSecond: segmenting?.constantFps, deinterlace };
  return [
    ...['-map', `[size${size}]`],
    ...videoCodecArguments(codec, {
      ...encoding,
      size: encoding.sizes[size],
      forcesKeyframes: segmenting !== undefined,
      ...(segmenting && codec === 'h264' ? maxFpsOfStream(video, change) : encoderFps(video, change)),
    }),
    ...(segmenting ? rateLimitArguments(segmenting, size) : []),
    ...(encoding.dropsCaptions ? ['-a53cc', '0'] : []),
    ...timestampArguments(video, change),
    ...packetFilters(codec, video, { ...encoding, change }),
    ...projectionArguments(video, {}),
  ];
}

/** The rate by which x264 declares the level, as players choose renditions by it. Its rate control uses the timestamps. */
function maxFpsOfStream(video: VideoStream, change: RateChange): ReturnType<typeof encoderFps> {
  if (change.framesPerSecond !== undefined) return {};
  return { signalledFps: signalledMaxFps(atOutputRate(video, change)) };
}

/**
 * A filter graph that transforms the video once, at the largest size, and scales the result down to the others. Its
 * outputs are `[size0]`, `[size1]` and so on. `before` are filters ahead of the split.
 */
function splitVideo(
  video: VideoStream,
  [largest, ...others]: readonly [Size, ...Size[]],
  {
    before = [],
    selectFilters = [],
    finalFilters = [],
    ...change
  }: { before?: readonly Filter[] } & FrameSelection &
    Pick<VideoEncoding, 'finalFilters'> &
    Pick<FrameTransform, 'deinterlace' | 'pixelFormat'>,
): FilterGraph {
  const filters =
    before.length === 0
      ? videoFilters(video, { scale: largest, selectFilters, ...change })
      : [...videoFilters(video, { scale: largest, ...change }), ...before, ...selectFilters];
  const split = others.length === 0 ? [] : [filter('split', String(others.length + 1))];
  const copies = others.map((_, index) => `copy${index + 1}`);
  const scaled = others.map((size, index) => {
    const options = `${size.width}:${size.height}:flags=bicubic${keptChromaOptions(video)}`;
    const filters = [filter('scale', options, size), filter('setsar', '1')];
    return { from: [`copy${index + 1}`], filters, to: [`size${index + 1}`] };
  });
  const from = [`0:${video.index}`];
  return [{ from, filters: [...filters, ...finalFilters, ...split], to: ['size0', ...copies] }, ...scaled];
}
