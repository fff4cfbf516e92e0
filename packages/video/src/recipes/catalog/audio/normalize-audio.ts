import * as z from 'zod';
import { encodeToLoudness } from '../../../encoding/loudness/target-loudness.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { number } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const normalizeAudio = defineRecipe({
  name: 'normalize-audio',
  title: 'Normalize audio',
  description:
    'Brings audio to a target loudness by EBU R 128, such as -16 LUFS for podcasts. The whole track gets one gain, which keeps its dynamics, and a limiter holds the peaks. The measurements of the job have the loudness before and after. The video is copied where its container and codec allow it, and otherwise encoded; an audio format leaves it out.',
  formats: ['mp4', 'mov', 'mkv', 'webm', 'mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'same-time',
  parameters: () =>
    z.strictObject({
      targetLufs: number(-70, -5).default(-16).meta({
        description:
          'Integrated loudness in LUFS: -23 for European television, -16 for podcasts, -14 for music services.',
      }),
      truePeak: number(-9, 0)
        .default(-1.5)
        .meta({ description: 'Maximum true peak in dBTP. Peaks that the gain would raise above it are limited.' }),
    }),
  example: { output: { format: 'm4a' }, recipe: { name: 'normalize-audio', targetLufs: -16 } },
});

export function planNormalizeAudio(input: RecipeInput<typeof normalizeAudio>): Plan | PendingPlan {
  return encodeToLoudness(input, { lufs: input.parameters.targetLufs, truePeakDbtp: input.parameters.truePeak });
}
