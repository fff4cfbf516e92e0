import { type ImageFormat, imageEncoders } from '../media/codecs/video-codecs.ts';
import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { hasAlpha } from '../media/filters/alpha.ts';
import { type Chain, type Filter, type FilterGraph, filter, formatFilter } from '../media/filters/filter.ts';
import { mirrors, rotations } from '../media/filters/video-filters.ts';
import { maxOpenedStreams } from '../media/probe/input-limits.ts';
import type { VideoStream } from '../media/probe/probe.ts';

/** Tiles that are one image have a frame rate below 1, for which ffmpeg 7.0 chooses a time base that AV1 rejects. */
const timeBase = ['-enc_time_base', '1/25'];

/** A graph from the streams of a still image to the whole image, upright, and through `last`. */
function composeImage({ index, heif, colorMatrix, isFullRange }: VideoStream, last: Chain): FilterGraph {
  if (heif === undefined) return [{ ...last, from: [`0:${index}`], filters: [filter('null'), ...last.filters] }];
  const { tileIds, columns, rows, size, crop, rotation, mirror, alphaId, colors } = heif;
  const range = colors === undefined ? '' : `:range=${isFullRange ? 'pc' : 'tv'}`;
  const from = tileIds.map((id) => `0:i:${id}`);
  const whole =
    tileIds.length === 1
      ? [filter('null')]
      : [
          filter('concat', `n=${tileIds.length}`),
          filter('tile', `${columns}x${rows}`, { ...size, perFrame: 1 / (columns * rows) }),
          filter('crop', `${size.width}:${size.height}:0:0:exact=1`, size),
        ];
  const upright = [
    ...(alphaId === undefined ? [] : [filter('alphamerge')]),
    ...(colorMatrix === undefined ? [] : [filter('setparams', `colorspace=${colorMatrix}${range}`)]),
    ...(crop === undefined ? [] : [filter('crop', `${crop.width}:${crop.height}:${crop.x}:${crop.y}:exact=1`, crop)]),
    ...rotations[rotation],
    ...(mirror ? [mirrors[mirror]] : []),
  ];
  if (alphaId === undefined) return [{ ...last, from, filters: [...whole, ...upright, ...last.filters] }];
  return [
    { from, filters: whole, to: ['opaque'] },
    { ...last, from: ['opaque', `0:i:${alphaId}`], filters: [...upright, ...last.filters] },
  ];
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

type ImageCommand = { inputPath: string; filters: readonly Filter[]; format: ImageFormat; outputArguments: string[] };

export function imageCommand(
  video: VideoStream,
  { inputPath, filters, format, outputArguments }: ImageCommand,
): Command {
  const isLayered = format === 'avif' && hasAlpha(video);
  const tag = filter('setparams', 'range=tv:color_primaries=bt709:color_trc=iec61966-2-1:colorspace=smpte170m');
  // From 7.1 on, ffmpeg itself would keep the full range of a JPEG.
  const limited = filter('scale', 'out_range=tv');
  const tagged = [formatFilter('yuv420p'), tag];
  const compose = (added: readonly Filter[], ...to: string[]) =>
    composeImage(video, { filters: [...filters, ...added], to });
  const graph = isLayered
    ? [
        ...compose([limited, formatFilter('yuva420p'), filter('split')], 'front', 'back'),
        { from: ['front'], filters: tagged, to: ['out'] },
        { from: ['back'], filters: [filter('alphaextract'), formatFilter('gray')], to: ['alpha'] },
      ]
    : compose(format === 'avif' ? [limited, ...tagged] : [], 'out');
  return {
    inputs: [imageInput(inputPath, video)],
    outputArguments: [
      ...['-filter_complex', graph, '-map', '[out]', ...(isLayered ? ['-map', '[alpha]'] : [])],
      ...['-frames:v', '1', ...(format === 'avif' ? timeBase : ['-update', '1']), ...imageEncoders[format].arguments],
      ...outputArguments,
    ],
  };
}
