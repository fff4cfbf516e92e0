import * as z from 'zod';
import { extractFrame, frameWidthParameter } from '../../../encoding/image/extract-frame.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { rejectInput } from '../../../errors.ts';
import { endSecondsOf, requireVideoStream } from '../../../media/probe/streams.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const thumbnail = defineRecipe({
  name: 'thumbnail',
  title: 'Thumbnail',
  description: 'One frame of a video as an image, upright and with correct colors, also from HDR.',
  formats: ['jpg', 'png', 'webp'],
  comparison: 'none',
  parameters: () =>
    z.strictObject({
      at: z
        .union([z.number().min(0), z.literal('best')])
        .default('best')
        .meta({
          description: 'Time in seconds, or best: the most representative of the sharp frames after the opening.',
        }),
      width: frameWidthParameter(),
    }),
  example: { output: { format: 'jpg' }, recipe: { name: 'thumbnail', at: 2.5, width: 640 } },
});

export function planThumbnail(input: RecipeInput<typeof thumbnail>): Plan | PendingPlan {
  const { at, width } = input.parameters;
  const endSeconds = endSecondsOf(input.probe, [requireVideoStream(input.probe)]);
  if (at !== 'best' && endSeconds !== undefined && at > endSeconds)
    rejectInput(`The frame is requested at ${at} s, but the video lasts ${endSeconds.toFixed(3)} s`);
  const { command, output } = extractFrame(input, { name: 'output', at, width });
  return { commands: [command], outputs: [output] };
}
