import { fitFrame, fitParameters, hasRequiredSides, missingSides } from '../../../encoding/fit-frame.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { imageCommand, imageInput } from '../../../encoding/still-image.ts';
import { rejectInput } from '../../../errors.ts';
import { imageColors, imageEncoders, keepsColorProfile } from '../../../media/codecs/video-codecs.ts';
import { filter } from '../../../media/filters/filter.ts';
import { transformedSize, videoFilters } from '../../../media/filters/video-filters.ts';
import { containerArguments } from '../../../media/formats.ts';
import { requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import type { ColorProfile } from '../../../media/probe/read-icc.ts';
import { mainVideo, requireImage } from '../../../media/probe/streams.ts';
import { backgroundParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const image = defineRecipe({
  name: 'image',
  title: 'Image',
  description:
    'Converts a still image (JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP), or changes its size. jpg and png keep the color profile; webp and avif, and images from HEIC and AVIF, are in sRGB. A transparent image gets a background in jpg.',
  formats: ['jpg', 'png', 'webp', 'avif'],
  comparison: 'same-time',
  parameters: () =>
    fitParameters().extend({ background: backgroundParameter() }).refine(hasRequiredSides, missingSides),
  example: { output: { format: 'webp' }, recipe: { name: 'image', width: 640 } },
});

/** Large enough to hold a color profile. */
const iconSize = { width: 16, height: 16 };

export function planImage(input: RecipeInput<typeof image>): Plan | PendingPlan {
  const { probe, parameters, inputPath, format } = input;
  const video = requireImage(probe);
  if (probe.durationSeconds !== undefined && video.framesPerSecond !== undefined) {
    const message =
      'Expected a still image, found a video or an animation: use the recipe thumbnail for a frame of a video';
    rejectInput(message);
  }
  const { width, height, background } = parameters;
  const keepsSize = width === undefined && height === undefined;
  const transform = keepsSize ? { scale: roundedSize(video) } : fitFrame(video, parameters);
  const { output, path } = outputFile(input, {
    video: { codec: imageEncoders[format].codec, ...requireEncodableSize(transformedSize(transform)) },
  });
  const outputs = [output];
  const render = (toSrgb?: ColorProfile): Plan => {
    const filters = videoFilters(video, { ...transform, ...imageColors(format, background), toSrgb });
    const outputArguments = [...dropOtherStreams, ...containerArguments(format), path];
    return { commands: [imageCommand(video, { inputPath, filters, format, outputArguments })], outputs };
  };
  if (video.heif) return render(video.colorProfile);
  if (keepsColorProfile(format)) return render();
  const profilePath = `${input.outputDirectory}/profile.png`;
  const copyProfile = {
    inputs: [imageInput(inputPath, video)],
    outputArguments: [
      ...['-map', `0:${video.index}`, '-vf', [{ filters: [filter('scale', '16:16', iconSize)] }]],
      ...['-frames:v', '1', '-update', '1'],
      ...[...imageEncoders.png.arguments, ...containerArguments('png'), profilePath],
    ],
  };
  return {
    measure: [copyProfile, { probePath: profilePath }],
    progressAfter: 0.3,
    outputs,
    decide(_, results) {
      const profile = results.at(-1)?.probe;
      return render(profile && mainVideo(profile)?.colorProfile);
    },
    expected: () => render(),
  };
}
