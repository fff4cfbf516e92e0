import type { VideoStream } from '../probe/probe.ts';
import { isRgb, knownPrimaries } from './color-space.ts';
import { type Filter, filter, formatFilter } from './filter.ts';

/** Names of ITU-T H.273 that ffprobe reports and zscale takes. */
const readableMatrices = ['bt709', 'fcc', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020nc'];

type SourceColors = Pick<VideoStream, 'pixelFormat' | 'colorPrimaries' | 'colorMatrix' | 'isFullRange'>;

/**
 * Filters whose frames zscale can convert: it rejects odd sizes with subsampled chroma, and frames that do not declare
 * their colors.
 */
export function zscaleSource(
  video: SourceColors,
  {
    transfer,
    assumed,
    keepsAlpha = false,
  }: { transfer: string; assumed: { primaries: string; matrix: string }; keepsAlpha?: boolean },
): Filter[] {
  const { colorPrimaries = '', colorMatrix = '', isFullRange } = video;
  const matrix = readableMatrices.includes(colorMatrix) ? colorMatrix : assumed.matrix;
  const colors = `color_primaries=${
    knownPrimaries.includes(colorPrimaries) ? colorPrimaries : assumed.primaries
  }:color_trc=${transfer}`;
  if (isRgb(video)) {
    return [
      formatFilter(keepsAlpha ? 'gbrap12le' : 'gbrp12le'),
      filter('setparams', `range=pc:${colors}:colorspace=gbr`),
    ];
  }
  return [
    formatFilter(keepsAlpha ? 'yuva444p12le' : 'yuv444p12le'),
    filter('setparams', `range=${isFullRange ? 'pc' : 'tv'}:${colors}:colorspace=${matrix}`),
  ];
}
