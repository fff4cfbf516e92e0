import * as z from 'zod';
import { frameAncestorsPattern } from '../../core/playback/embed-page.ts';

/** How viewers play the streams of a stage. */
export const playbackSchema = z.strictObject({
  frameAncestors: z
    .string()
    .regex(frameAncestorsPattern, "must be sources of a CSP, such as https://example.com, 'self' or *")
    .default('*')
    .meta({
      description:
        'Pages that may embed the player, as sources of a Content-Security-Policy: `https://example.com https://*.example.org`.',
    }),
});
