import * as z from 'zod';

/** What prices depend on: the functions with ffmpeg as deployed, and how long files are kept. */
export const pricedStageSchema = z.object({
  architecture: z.enum(['arm64', 'x86_64']),
  memoryMb: z.int().min(1),
  retentionDays: z.number().positive(),
});

export type PricedStage = z.output<typeof pricedStageSchema>;
