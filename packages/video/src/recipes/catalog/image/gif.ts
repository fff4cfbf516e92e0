import { excerptInput, excerptParameters } from '../../../encoding/image/excerpt.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { filter } from '../../../media/filters/filter.ts';
import { containerArguments } from '../../../media/formats.ts';
import { integer } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const gif = defineRecipe({
  name: 'gif',
  title: 'GIF',
  description: 'A GIF of a part of a video, without audio. An animated WebP of the same part is far smaller.',
  formats: ['gif'],
  comparison: 'none',
  parameters: () =>
    excerptParameters().extend({
      colors: integer(4, 256)
        .default(256)
        .meta({ description: 'Colors of the palette. Fewer make a smaller file: 64 about 40 % smaller.' }),
    }),
  example: { output: { format: 'gif' }, recipe: { name: 'gif', start: 1, seconds: 3, width: 320 } },
});

export function planGif(input: RecipeInput<typeof gif>): Plan | PendingPlan {
  const { video, size, durationSeconds, source, filters } = excerptInput(input);
  const { output, path } = outputFile(input, { durationSeconds, video: { codec: 'gif', ...size } });
  const palette = `${input.outputDirectory}/palette.png`;
  // The palette has its own command: in one graph, ffmpeg would buffer all frames until the palette is complete.
  // It writes one frame once it has read all others.
  const makePalette = filter('palettegen', `stats_mode=diff:max_colors=${input.parameters.colors}`, {
    width: 16,
    height: 16,
    frames: 1,
  });
  const paletteCommand: Command = {
    inputs: [source],
    outputArguments: [
      ...['-map', `0:${video.index}`, '-vf', [{ filters: [...filters, makePalette] }]],
      ...['-frames:v', '1', '-update', '1', '-f', 'image2', palette],
    ],
  };
  // A stronger pattern draws a visible grid on flat areas, and takes more bytes.
  const usePalette = filter('paletteuse', 'dither=bayer:bayer_scale=5:diff_mode=rectangle');
  const graph = [
    { from: [`0:${video.index}`], filters, to: ['frames'] },
    { from: ['frames', '1'], filters: [usePalette], to: ['out'] },
  ];
  const encodeCommand: Command = {
    inputs: [source, { path: palette, isTrusted: true }],
    outputArguments: [
      ...['-filter_complex', graph, '-map', '[out]', '-loop', input.parameters.loop ? '0' : '-1'],
      ...[...dropOtherStreams, ...containerArguments('gif'), path],
    ],
    durationSeconds,
  };
  return { commands: [paletteCommand, encodeCommand], outputs: [output] };
}
