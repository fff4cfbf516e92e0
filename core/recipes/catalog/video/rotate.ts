import * as z from 'zod';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

const parameters = z
  .strictObject({
    degrees: z.literal([0, 90, 180, 270]).default(0).meta({
      description: 'How far the picture is turned, in degrees clockwise from how players show it.',
    }),
    flip: z.enum(['horizontal', 'vertical']).optional().meta({
      description: 'Mirrors the turned picture: horizontal swaps left and right, vertical top and bottom.',
    }),
  })
  .refine(({ degrees, flip }) => degrees !== 0 || flip !== undefined, {
    path: ['degrees'],
    message: 'Give degrees, flip or both',
  });

export const rotate = defineRecipe({
  name: 'rotate',
  title: 'Rotate',
  description:
    'Turns and mirrors a video. The pixels themselves are turned, so that every player shows it so.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'rotate', degrees: 90 } },
  plan(input) {
    const { degrees, flip: mirror } = input.parameters;
    const scale = evenSize(requireVideo(input.probe));
    return encodeVideo(input, {
      ...defaultEncodingFor(input),
      transform: { scale, rotate: degrees, mirror },
    });
  },
});
