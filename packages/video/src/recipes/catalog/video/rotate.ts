import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  z
    .strictObject({
      degrees: z
        .literal([0, 90, 180, 270])
        .default(0)
        .meta({ description: 'Rotation in degrees clockwise, relative to how players show the video.' }),
      flip: z
        .enum(['horizontal', 'vertical'])
        .optional()
        .meta({ description: 'Mirrors the rotated video: horizontal swaps left and right, vertical top and bottom.' }),
    })
    .refine(({ degrees, flip }) => degrees !== 0 || flip !== undefined, {
      path: ['degrees'],
      message: 'Must have degrees, flip or both',
    });

export const rotate = defineRecipe({
  name: 'rotate',
  title: 'Rotate',
  description: 'Rotates or mirrors the frames of a video, so that every player shows it that way.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'rotate', degrees: 90 } },
});

export function planRotate(input: RecipeInput<typeof rotate>): Plan | PendingPlan {
  const { degrees, flip: mirror } = input.parameters;
  const scale = evenSize(requireVideo(input.probe));
  return encodeVideo(input, { ...defaultEncodingFor(input), transform: { scale, rotate: degrees, mirror } });
}
