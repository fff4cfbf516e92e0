import * as z from 'zod';
import { encodeAudio } from '../../../encoding/audio/encode-audio.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { channelsParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const extractAudio = defineRecipe({
  name: 'extract-audio',
  title: 'Extract audio',
  description:
    'An audio track of a video or audio file. flac and wav keep all channels, and 24 bits if the input has more than 16.',
  formats: ['mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'none',
  parameters: () =>
    z.strictObject({
      bitrate: z.int().min(32).max(320).default(160).meta({
        description: 'Bit rate in kbit/s; flac and wav ignore it.',
      }),
      channels: channelsParameter(),
      track: z.int().min(0).max(63).optional().meta({
        description:
          'Index of the audio track, from 0, among those of the input. Default: the default track, else the first; of mono PCM tracks in MXF or MOV, the first two as one stereo track.',
      }),
    }),
  example: { output: { format: 'mp3' }, recipe: { name: 'extract-audio', bitrate: 192 } },
});

export function planExtractAudio(input: RecipeInput<typeof extractAudio>): Plan | PendingPlan {
  const { bitrate, channels, track } = input.parameters;
  const audioTracks = track === undefined ? undefined : [track];
  return encodeAudio(input, { bitrateKbps: bitrate, channels, audioTracks });
}
