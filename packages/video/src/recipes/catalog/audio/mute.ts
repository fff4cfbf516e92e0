import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { copyVideoOrEncode } from '../../../encoding/video/copy-video.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const mute = defineRecipe({
  name: 'mute',
  title: 'Mute',
  description:
    'Removes the audio of a video. The video stream is copied from MKV and WebM, and from MP4 and MOV to mp4 and mov, if the output format allows its codec; otherwise it is encoded. If it starts after the audio, it is encoded too, and the first frame is shown from the beginning.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: () => z.strictObject({}),
  example: { output: { format: 'mp4' }, recipe: { name: 'mute' } },
});

export function planMute(input: RecipeInput<typeof mute>): Plan | PendingPlan {
  return copyVideoOrEncode(input, { isMuted: true });
}
