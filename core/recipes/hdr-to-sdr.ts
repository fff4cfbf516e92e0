import * as z from 'zod';
import { JobError } from '../errors.ts';
import { evenSize } from '../media/size.ts';
import { requireMovingPicture } from '../media/streams.ts';
import { toneCurves } from '../media/video-filters.ts';
import { encodeVideo } from './encode-video.ts';
import { ordinaryFor } from './ordinary-encoding.ts';
import { defineRecipe } from './recipe.ts';

export const hdrToSdr = defineRecipe({
  name: 'hdr-to-sdr',
  title: 'HDR to SDR',
  description:
    'Brings a video of high dynamic range (PQ or HLG) into BT.709, so that it looks right on every screen.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  parameters: z.strictObject({
    curve: z.enum(toneCurves).default('mobius').meta({
      description:
        'How highlights are brought down: mobius keeps colours, hable keeps detail in highlights and is darker, reinhard lies between.',
    }),
  }),
  example: { output: { format: 'mp4' }, recipe: { name: 'hdr-to-sdr' } },
  plan(input) {
    const video = requireMovingPicture(input.probe);
    if (video.hdrTransfer === undefined) {
      const message = 'The input is in standard dynamic range already: neither PQ nor HLG';
      throw new JobError('INPUT_UNSUPPORTED', message, { retryable: false });
    }
    const picture = { scale: evenSize(video), toneCurve: input.parameters.curve };
    return encodeVideo(input, { ...ordinaryFor(input), picture });
  },
});
