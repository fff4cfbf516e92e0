import * as z from 'zod';
import { extractTile } from '../../../encoding/image/extract-frame.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { imageEncoders } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { filter } from '../../../media/filters/filter.ts';
import { containerArguments } from '../../../media/formats.ts';
import { fitInside, requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { integer } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const gridCount = () => integer(1, 10).default(4);

export const contactSheet = defineRecipe({
  name: 'contact-sheet',
  title: 'Contact sheet',
  description: 'One image with frames of the whole video, at equal intervals, in rows and columns.',
  formats: ['jpg', 'png', 'webp'],
  comparison: 'none',
  parameters: () =>
    z.strictObject({
      columns: gridCount().meta({ description: 'Number of columns.' }),
      rows: gridCount().meta({ description: 'Number of rows.' }),
      tileWidth: integer(16, 1920)
        .default(320)
        .meta({ description: 'Width of one frame in pixels; the height follows.' }),
      gap: integer(0, 64).default(4).meta({ description: 'Pixels between frames and around them, in black.' }),
    }),
  example: { output: { format: 'jpg' }, recipe: { name: 'contact-sheet', columns: 5, rows: 4, tileWidth: 240 } },
});

export function planContactSheet(input: RecipeInput<typeof contactSheet>): Plan | PendingPlan {
  const { columns, rows, tileWidth, gap } = input.parameters;
  const video = requireVideo(input.probe);
  const tile = roundedSize(fitInside(video, { width: tileWidth }));
  const { format } = input;
  const sheet = requireEncodableSize({
    width: columns * tile.width + (columns + 1) * gap,
    height: rows * tile.height + (rows + 1) * gap,
  });
  const { output, path } = outputFile(input, { video: { codec: imageEncoders[format].codec, ...sheet } });
  const count = columns * rows;
  const endSeconds = endSecondsOf(input.probe, [video]) ?? 0;
  const frames = Array.from({ length: count }, (_, index) =>
    extractTile(input, { name: `tile-${index}`, at: ((index + 0.5) * endSeconds) / count, width: tileWidth }),
  );
  const inputs = frames.map(({ output: tileOutput }) => ({
    path: `${input.outputDirectory}/${tileOutput.filename}`,
    isTrusted: true,
  }));
  const tileOptions = `${columns}x${rows}:padding=${gap}:margin=${gap}`;
  const graph = [
    {
      from: inputs.map((_, index) => String(index)),
      filters: [filter('concat', `n=${count}`), filter('tile', tileOptions, { ...sheet, perFrame: 1 / count })],
      to: ['out'],
    },
  ];
  const tileCommand: Command = {
    inputs,
    outputArguments: [
      ...['-filter_complex', graph, '-map', '[out]', '-frames:v', '1', '-update', '1'],
      ...[...imageEncoders[format].arguments, ...dropOtherStreams, ...containerArguments(format), path],
    ],
  };
  return { commands: [...frames.map(({ command }) => command), tileCommand], outputs: [output] };
}
