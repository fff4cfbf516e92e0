import * as z from 'zod';
import { encodeAudio } from '../../../encoding/audio/encode-audio.ts';
import { defineRecipe } from '../../recipe.ts';

export const extractAudio = defineRecipe({
  name: 'extract-audio',
  title: 'Extract audio',
  description:
    'The default audio track of a video or audio file. mp3, m4a and opus have at most two channels; flac and wav keep all channels, and 24 bits if the input has more than 16.',
  formats: ['mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'none',
  parameters: z.strictObject({
    bitrate: z.int().min(32).max(320).default(160).meta({
      description: 'Bit rate in kbit/s; flac and wav ignore it.',
    }),
  }),
  example: { output: { format: 'mp3' }, recipe: { name: 'extract-audio', bitrate: 192 } },
  plan: (input) => encodeAudio(input, { bitrateKbps: input.parameters.bitrate }),
});
