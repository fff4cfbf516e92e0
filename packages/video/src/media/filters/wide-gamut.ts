import type { VideoStream } from '../probe/probe.ts';
import { hasAlpha } from './alpha.ts';
import { assumedMatrix } from './color-space.ts';
import { type Filter, filter, formatFilter } from './filter.ts';
import { zscaleSource } from './zscale-source.ts';

const widePrimaries = ['bt2020', 'smpte431', 'smpte432'];

/** Transfers that zscale takes: not all that setparams does. */
// biome-ignore format: a table
const readableTransfers = [
  'bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear', 'log100', 'log316',
  'bt2020-10', 'bt2020-12', 'iec61966-2-1', 'iec61966-2-4',
];

/**
 * Whether an SDR video or a HEIF image has the primaries of BT.2020 or P3. Relabelled as BT.709, its colors would be pale.
 * Of other still images, ffmpeg keeps the color profile, which would then apply to converted colors.
 */
export function hasWideGamut({ hdrTransfer, colorPrimaries = '', ...video }: VideoStream): boolean {
  const mayHaveProfile = video.framesPerSecond === undefined && video.heif === undefined;
  return hdrTransfer === undefined && !mayHaveProfile && widePrimaries.includes(colorPrimaries);
}

/** Converts wide primaries to those of BT.709, in 4:4:4. Colors outside of it are clipped, and the transfer stays. */
export function wideGamutToBt709(
  video: VideoStream,
  { matrix, bitDepth, keepsAlpha }: { matrix: 'bt709' | '170m'; bitDepth: 8 | 10; keepsAlpha: boolean },
): Filter[] {
  const { colorPrimaries = 'bt2020', colorTransfer = '' } = video;
  const assumed = { primaries: colorPrimaries, matrix: assumedMatrix(video) };
  const isTransparent = keepsAlpha && hasAlpha(video);
  const transfer = readableTransfers.includes(colorTransfer) ? colorTransfer : 'bt709';
  const converted = `${isTransparent ? 'yuva444p' : 'yuv444p'}${bitDepth === 10 ? '10le' : ''}`;
  return [
    ...zscaleSource(video, { transfer, assumed, keepsAlpha: isTransparent }),
    filter('zscale', `p=bt709:m=${matrix}:r=tv`),
    formatFilter(converted),
  ];
}
