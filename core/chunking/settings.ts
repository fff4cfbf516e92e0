import * as z from 'zod';
import { integerBetween } from '../integer-between.ts';

/** Step Functions runs no more branches of an inline Map at once. */
const mostAtOnce = 40;

/** The list of parts travels in the state of the machine, and each leaves some seven events in its history. */
export const maxChunks = 200;

/** How a stage cuts long videos, with its defaults. */
export const chunkSettingsSchema = z.strictObject({
  targetChunkSeconds: integerBetween(2, 3600).default(60).meta({
    description: 'Seconds of video that a chunk has at least; more where there would be too many chunks.',
  }),
  maxParallelChunks: integerBetween(2, mostAtOnce).default(4).meta({
    description: 'Parts of one job encoded at the same time at most, each by a function of its own.',
  }),
  maxSinglePassSeconds: integerBetween(1, 780).default(300).meta({
    description:
      'Seconds that encoding in one piece may be expected to take; a job of standard speed that would take longer is cut.',
  }),
});

export type ChunkSettings = z.output<typeof chunkSettingsSchema>;
