import * as z from 'zod';
import { copyVideoOrEncode } from '../../../encoding/video/copy-video.ts';
import { defineRecipe } from '../../recipe.ts';

export const mute = defineRecipe({
  name: 'mute',
  title: 'Mute',
  description:
    'Takes the sound off a video. The picture stays as it is wherever the output format allows; of one that begins after the sound, the first frame is shown until then.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: z.strictObject({}),
  example: { output: { format: 'mp4' }, recipe: { name: 'mute' } },
  plan: (input) => copyVideoOrEncode(input, { isMuted: true }),
});
