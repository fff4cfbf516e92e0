import * as z from 'zod';
import { encodeAudio } from '../../../encoding/audio/audio-file.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { integer } from '../../../values.ts';
import { assetUrl, channelsParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const tag = () =>
  z
    .string()
    .regex(/^\P{Cc}{1,500}$/u, 'Must be 1 to 500 characters without control characters')
    .optional();

export const extractAudio = defineRecipe({
  name: 'extract-audio',
  title: 'Extract audio',
  description:
    'The audio of a video or audio file, such as an MP3 with cover and tags for a podcast. flac and wav keep all channels, and 24 bits if the input has more than 16.',
  formats: ['mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'none',
  parameters: () =>
    z.strictObject({
      bitrate: integer(32, 320).default(160).meta({ description: 'Bit rate in kbit/s; flac and wav ignore it.' }),
      channels: channelsParameter(),
      tags: z
        .strictObject({ title: tag(), artist: tag(), album: tag(), date: tag(), genre: tag(), comment: tag() })
        .optional()
        .meta({ description: 'Title, artist and more, as players show them. In mp3 they are ID3 tags.' }),
      cover: assetUrl('Cover image: JPEG, PNG or WebP. Only in mp3 and m4a.').optional(),
      track: integer(0, 63).optional().meta({
        description:
          'Index of the audio track, from 0, among those of the input. Default: the default track, else the first; of mono PCM tracks in MXF or MOV, the first two as one stereo track.',
      }),
    }),
  conflicts: ({ cover }, format) =>
    cover === undefined || format === 'mp3' || format === 'm4a'
      ? []
      : [{ path: 'recipe.cover', message: `mp3 and m4a take a cover, not ${format}` }],
  assets: ({ cover }) => (cover === undefined ? [] : [{ name: 'cover', url: cover, kind: 'media' }]),
  example: { output: { format: 'mp3' }, recipe: { name: 'extract-audio', bitrate: 192 } },
});

export function planExtractAudio(input: RecipeInput<typeof extractAudio>): Plan | PendingPlan {
  const { bitrate, channels, track, tags } = input.parameters;
  const audioTracks = track === undefined ? undefined : [track];
  return encodeAudio(input, { bitrateKbps: bitrate, channels, audioTracks, tags, cover: input.assets.cover });
}
