import { fitFrame, fitParameters, hasRequiredSides, missingSides } from '../../../encoding/fit.ts';
import { dropOtherStreams, singleOutput } from '../../../encoding/outputs.ts';
import { JobError } from '../../../errors.ts';
import {
  type ImageFormat,
  imageCodecArguments,
  imageColorMatrix,
  probedImageCodec,
} from '../../../media/codecs/image-codecs.ts';
import { transformedSize, videoFilters } from '../../../media/filters/video-filters.ts';
import { containerArguments } from '../../../media/formats.ts';
import { requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { requireVideoStream } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

export const image = defineRecipe({
  name: 'image',
  title: 'Image',
  description:
    'Converts a still image and changes its size. If the output format has no transparency, the background is white.',
  formats: ['jpg', 'png', 'webp'],
  comparison: 'same-time',
  parameters: fitParameters.refine(hasRequiredSides, missingSides),
  example: { output: { format: 'webp' }, recipe: { name: 'image', width: 640 } },
  plan(input) {
    const { probe, parameters, inputPath } = input;
    const video = requireVideoStream(probe);
    if (probe.durationSeconds !== undefined && video.framesPerSecond !== undefined) {
      const message =
        'Expected a still image, found a video or an animation: use the recipe thumbnail for a frame of a video';
      throw new JobError('INPUT_UNSUPPORTED', message);
    }
    const { format } = input;
    const { width, height } = parameters;
    const keepsSize = width === undefined && height === undefined;
    const transform = keepsSize ? { scale: roundedSize(video) } : fitFrame(video, parameters);
    const { output, path } = singleOutput(input, {
      video: { codec: probedImageCodec(format), ...requireEncodableSize(transformedSize(transform)) },
    });
    const outputArguments = [
      ...[
        '-filter_complex',
        imageGraph(video, {
          format,
          filters: videoFilters(video, { ...transform, ...imageColorMatrix(format) }),
        }),
      ],
      ...['-map', '[out]', '-frames:v', '1', '-update', '1', ...imageCodecArguments(format)],
      ...dropOtherStreams,
      ...containerArguments(format),
      path,
    ];
    return { commands: [{ inputs: [{ path: inputPath }], outputArguments }], outputs: [output] };
  },
});

function imageGraph(
  { index, pixelFormat = '' }: VideoStream,
  { format, filters }: { format: ImageFormat; filters: string[] },
): string {
  const chain = `[0:${index}]${filters.join(',')}`;
  const isTransparent = /^(pal8|ya|yuva|gbrap|rgba|bgra|argb|abgr)/.test(pixelFormat);
  if (!isTransparent || format !== 'jpg') return `${chain}[out]`;
  return [
    `${chain},format=rgba,split[front][shape]`,
    '[shape]drawbox=t=fill:color=white:replace=1[white]',
    '[white][front]overlay=format=auto[out]',
  ].join(';');
}
