import { excerptInput, excerptParameters } from '../../../encoding/image/excerpt.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { integer } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const animatedWebp = defineRecipe({
  name: 'animated-webp',
  title: 'Animated WebP',
  description: 'An animated WebP of a part of a video, without audio. If nothing moves, it is a still image.',
  formats: ['webp'],
  comparison: 'none',
  parameters: () =>
    excerptParameters().extend({
      quality: integer(0, 100)
        .default(75)
        .meta({ description: 'Image quality, 0 to 100; higher looks better and is larger.' }),
    }),
  example: { output: { format: 'webp' }, recipe: { name: 'animated-webp', start: 1, seconds: 3, width: 320 } },
});

export function planAnimatedWebp(input: RecipeInput<typeof animatedWebp>): Plan | PendingPlan {
  const { quality, loop } = input.parameters;
  const { video, size, durationSeconds, source, filters } = excerptInput(input, { colorMatrix: 'bt601' });
  const { output, path } = outputFile(input, {
    durationSeconds,
    // The encoder merges identical frames.
    mayBeStillImage: true,
    video: { codec: 'webp', ...size },
  });
  const outputArguments = [
    ...['-map', `0:${video.index}`, '-vf', [{ filters }], '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libwebp_anim', '-quality', String(quality), '-loop', loop ? '0' : '1'],
    // The image2 muxer would write one file per frame.
    ...[...dropOtherStreams, '-f', 'webp', path],
  ];
  return { commands: [{ inputs: [source], outputArguments, durationSeconds }], outputs: [output] };
}
