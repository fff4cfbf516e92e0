import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { rejectInput } from '../../../errors.ts';
import { toneCurves } from '../../../media/filters/tone-map.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const hdrToSdr = defineRecipe({
  name: 'hdr-to-sdr',
  title: 'HDR to SDR',
  description:
    'Converts an HDR video (PQ or HLG), such as a phone records, to SDR (BT.709), so that it looks right on every screen.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: () =>
    z.strictObject({
      curve: z.enum(toneCurves).default('mobius').meta({
        description:
          'Tone mapping curve: mobius keeps mid-tones exact, hable is darker, reinhard compresses mid-tones too. White of 203 nits becomes about 85 % in all but hable.',
      }),
    }),
  example: { output: { format: 'mp4' }, recipe: { name: 'hdr-to-sdr' } },
});

export function planHdrToSdr(input: RecipeInput<typeof hdrToSdr>): Plan | PendingPlan {
  const video = requireVideo(input.probe);
  if (video.hdrTransfer === undefined) rejectInput('Expected an HDR video (PQ or HLG), found standard dynamic range');
  const transform = { scale: evenSize(video), toneCurve: input.parameters.curve };
  return encodeVideo(input, { ...defaultEncodingFor(input), transform });
}
