import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { copyVideoOrEncode } from '../../../encoding/video/copy-video.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const mute = defineRecipe({
  name: 'mute',
  title: 'Mute',
  description:
    'Removes the audio of a video. The video is copied where its container and codec allow it, and otherwise encoded.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: () => z.strictObject({}),
  example: { output: { format: 'mp4' }, recipe: { name: 'mute' } },
});

export function planMute(input: RecipeInput<typeof mute>): Plan | PendingPlan {
  return copyVideoOrEncode(input, { isMuted: true });
}
