import * as z from 'zod';

/** Step Functions runs no more branches of an inline Map at once. */
export const mostChunks = 40;

/** How a stage cuts long videos, with its defaults. */
export const chunkSettingsSchema = z.strictObject({
  targetChunkSeconds: z.int().min(2).max(3600).default(60).meta({
    description: 'Seconds of video that a chunk has at least; more where there would be too many chunks.',
  }),
  maxParallelChunks: z.int().min(2).max(mostChunks).default(mostChunks).meta({
    description: 'Most chunks that one job is cut into.',
  }),
  longestSinglePassSeconds: z.int().min(1).max(780).default(300).meta({
    description:
      'Seconds that encoding in one piece may be expected to take; a job of standard speed that would take longer is cut.',
  }),
});

export type ChunkSettings = z.output<typeof chunkSettingsSchema>;

/** What a job may ask: `fast` cuts whatever can be cut, `standard` what would take long in one piece. */
export const speeds = ['standard', 'fast'] as const;

export type Speed = (typeof speeds)[number];
