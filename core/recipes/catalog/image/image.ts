import { fitFrame, fitParameters, hasRequiredSides, missingSides } from '../../../encoding/fit.ts';
import { dropOtherStreams, singleOutput } from '../../../encoding/outputs.ts';
import { JobError } from '../../../errors.ts';
import { imageCodecArguments, imageColors, probedImageCodec } from '../../../media/codecs/image-codecs.ts';
import { mapThroughFilters, transformedSize, videoFilters } from '../../../media/filters/video-filters.ts';
import { containerArguments } from '../../../media/formats.ts';
import { requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import { requireVideoStream } from '../../../media/probe/streams.ts';
import { backgroundParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

export const image = defineRecipe({
  name: 'image',
  title: 'Image',
  description:
    'Converts a still image and changes its size. If the output format has no transparency, the image is composited on a background.',
  formats: ['jpg', 'png', 'webp'],
  comparison: 'same-time',
  parameters: fitParameters
    .extend({ background: backgroundParameter })
    .refine(hasRequiredSides, missingSides),
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
    const { width, height, background } = parameters;
    const keepsSize = width === undefined && height === undefined;
    const transform = keepsSize ? { scale: roundedSize(video) } : fitFrame(video, parameters);
    const { output, path } = singleOutput(input, {
      video: { codec: probedImageCodec(format), ...requireEncodableSize(transformedSize(transform)) },
    });
    const filters = videoFilters(video, { ...transform, ...imageColors(format, background) });
    const outputArguments = [
      ...mapThroughFilters(video, filters.join(',')),
      ...['-frames:v', '1', '-update', '1', ...imageCodecArguments(format)],
      ...dropOtherStreams,
      ...containerArguments(format),
      path,
    ];
    return { commands: [{ inputs: [{ path: inputPath }], outputArguments }], outputs: [output] };
  },
});
