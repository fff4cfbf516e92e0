import type { VideoStream } from '../probe/probe.ts';

/** ffmpeg's bitstream filters that rewrite the color matrix in the headers of a codec. */
const headerFilters: Record<string, string> = {
  h264: 'h264_metadata',
  hevc: 'hevc_metadata',
  av1: 'av1_metadata',
  mpeg2video: 'mpeg2_metadata',
};

type DeclaredMatrix = Pick<VideoStream, 'index' | 'codec' | 'colorMatrix'>;

/**
 * Input options that decode a video as untagged if its color matrix is 3, which ITU-T H.273 reserves and some Samsung phones
 * write. From 7.0 on, ffmpeg rejects such frames before the first filter (`Invalid color space`), so the headers are
 * rewritten before the decoder. A copy would be rewritten too.
 */
export function dropReservedMatrix({ index, codec, colorMatrix }: DeclaredMatrix): string[] {
  const filter = headerFilters[codec];
  if (colorMatrix !== 'reserved' || filter === undefined) return [];
  return [`-bsf:${index}`, `${filter}=matrix_coefficients=2`];
}

/** The color matrix of a video as it is decoded, by ffmpeg's name; undefined if it is untagged. */
export function decodedMatrix(video: DeclaredMatrix): string | undefined {
  return dropReservedMatrix(video).length === 0 ? video.colorMatrix : undefined;
}
