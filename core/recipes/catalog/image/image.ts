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
    'Converts a still image and gives it another size. Where the format knows no transparency, what shows through is white.',
  formats: ['jpg', 'png', 'webp'],
  comparison: 'same-time',
  parameters: fitParameters.refine(hasRequiredSides, missingSides),
  example: { output: { format: 'webp' }, recipe: { name: 'image', width: 640 } },
  plan(input) {
    const { probe, parameters, inputPath } = input;
    const picture = requireVideoStream(probe);
    if (probe.durationSeconds !== undefined && picture.framesPerSecond !== undefined) {
      const message = 'The input moves; for a picture of a video use the recipe thumbnail';
      throw new JobError('INPUT_UNSUPPORTED', message);
    }
    const format = input.format as ImageFormat;
    const { width, height } = parameters;
    const keepsSize = width === undefined && height === undefined;
    const change = keepsSize ? { scale: roundedSize(picture) } : fitFrame(picture, parameters);
    const { output, path } = singleOutput(input, {
      video: { codec: probedImageCodec(format), ...requireEncodableSize(transformedSize(change)) },
    });
    const outputArguments = [
      ...[
        '-filter_complex',
        graph(picture, {
          format,
          filters: videoFilters(picture, { ...change, ...imageColorMatrix(format) }),
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

function graph(
  { index, pixelFormat = '' }: VideoStream,
  { format, filters }: { format: ImageFormat; filters: string[] },
): string {
  const picture = `[0:${index}]${filters.join(',')}`;
  const isTransparent = /^(pal8|ya|yuva|gbrap|rgba|bgra|argb|abgr)/.test(pixelFormat);
  if (!isTransparent || format !== 'jpg') return `${picture}[out]`;
  return [
    `${picture},format=rgba,split[front][shape]`,
    '[shape]drawbox=t=fill:color=white:replace=1[white]',
    '[white][front]overlay=format=auto[out]',
  ].join(';');
}
