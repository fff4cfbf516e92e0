import { type ImageFormat, imageCodecArguments } from '../../media/codecs/image-codecs.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import { hasAlpha } from '../../media/filters/alpha.ts';
import { maxOpenedStreams } from '../../media/probe/input-limits.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

const rotations = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };
const mirrors = { horizontal: 'hflip', vertical: 'vflip' };

/** Tiles that are one image have a frame rate below 1, for which ffmpeg 7.0 chooses a time base that AV1 rejects. */
const timeBase = ['-enc_time_base', '1/25'];

/** Filters from the streams of a still image to the whole image, upright. The result has no label yet. */
function composeImage({ index, heif, colorMatrix, isFullRange }: VideoStream): string {
  if (heif === undefined) return `[0:${index}]null`;
  const { tileIds, columns, rows, size, crop, rotation, mirror, alphaId, colors } = heif;
  const range = colors === undefined ? '' : `:range=${isFullRange ? 'pc' : 'tv'}`;
  const tiles = tileIds.map((id) => `[0:i:${id}]`).join('');
  const whole =
    tileIds.length === 1
      ? `${tiles}null`
      : `${tiles}concat=n=${tileIds.length},tile=${columns}x${rows},crop=${size.width}:${size.height}:0:0:exact=1`;
  const upright = [
    ...(alphaId === undefined ? [] : ['alphamerge']),
    ...(colorMatrix === undefined ? [] : [`setparams=colorspace=${colorMatrix}${range}`]),
    ...(crop === undefined ? [] : [`crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}:exact=1`]),
    ...rotations[rotation],
    ...(mirror ? [mirrors[mirror]] : []),
  ];
  if (alphaId === undefined) return [whole, ...upright].join(',');
  return `${whole}[opaque];[opaque][0:i:${alphaId}]${upright.join(',')}`;
}

/**
 * Reads a still image. The demuxer of a JPEG is given, because ffmpeg does not detect one that a second JPEG follows, such
 * as the gain map of an HDR photo. The rotation of a HEIF image is left to `composeImage`; its tiles, alphas and previews
 * are streams.
 */
export function imageInput(path: string, { heif, codec }: VideoStream): CommandInput {
  if (heif !== undefined) {
    const streams = Math.max(maxOpenedStreams, 2 * heif.tileIds.length + 8);
    return { path, options: ['-noautorotate'], streams };
  }
  return codec === 'mjpeg' ? { path, options: ['-f', 'jpeg_pipe'] } : { path };
}

/** A command that reads a still image, filters it and writes it. */
export function imageCommand(
  video: VideoStream,
  {
    inputPath,
    filters,
    format,
    outputArguments,
  }: {
    inputPath: string;
    filters: readonly string[];
    format: ImageFormat;
    outputArguments: readonly string[];
  },
): Command {
  const chain = [composeImage(video), ...filters].join(',');
  const isLayered = format === 'avif' && hasAlpha(video);
  const tag = 'setparams=range=tv:color_primaries=bt709:color_trc=iec61966-2-1:colorspace=smpte170m';
  // From 7.1 on, ffmpeg itself would keep the full range of a JPEG.
  const limited = `${chain},scale=out_range=tv`;
  const graph = isLayered
    ? `${limited},format=yuva420p,split[front][back];[front]format=yuv420p,${tag}[out];[back]alphaextract,format=gray[alpha]`
    : `${format === 'avif' ? `${limited},format=yuv420p,${tag}` : chain}[out]`;
  return {
    inputs: [imageInput(inputPath, video)],
    outputArguments: [
      ...['-filter_complex', graph, '-map', '[out]', ...(isLayered ? ['-map', '[alpha]'] : [])],
      ...[
        '-frames:v',
        '1',
        ...(format === 'avif' ? timeBase : ['-update', '1']),
        ...imageCodecArguments(format),
      ],
      ...outputArguments,
    ],
  };
}
