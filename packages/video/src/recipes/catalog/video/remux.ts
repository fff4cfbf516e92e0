import * as z from 'zod';
import { copyStreams } from '../../../encoding/copy/copy-streams.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { audioTracksParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const remux = defineRecipe({
  name: 'remux',
  title: 'Remux',
  description:
    'Changes the container, such as MKV to MP4, fast and without loss: video, audio tracks and subtitles are copied, with languages, chapters and time code. An input whose codecs the format cannot hold is rejected. Subtitles that are images, and the fonts of styled subtitles (ASS), are kept only in mkv.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: () => z.strictObject({ audioTracks: audioTracksParameter('all') }),
  example: { output: { format: 'mp4' }, recipe: { name: 'remux' } },
});

export function planRemux(input: RecipeInput<typeof remux>): Plan | PendingPlan {
  return copyStreams(input, input.parameters);
}
