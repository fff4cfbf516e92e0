import * as z from 'zod';
import { frameAncestorsPattern } from '../../core/playback/embed-page.ts';

/** How viewers play the streams of a stage. */
export const playbackSchema = z.strictObject({
  edge: z
    .boolean('must be true or false')
    .default(false)
    .describe('Whether CloudFront delivers to viewers. A stage with a dashboard or a firewall has it anyway.'),
  frameAncestors: z
    .string()
    .regex(frameAncestorsPattern, "must be sources of a CSP, such as https://example.com, 'self' or *")
    .default('*')
    .meta({
      description:
        'Pages that may embed the player, as sources of a Content-Security-Policy: `https://example.com https://*.example.org`.',
    }),
});

export type PlaybackSettings = z.output<typeof playbackSchema>;
