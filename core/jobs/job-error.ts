import { jobErrorCodes } from '@media-jobs/video/errors';
import * as z from 'zod';
import { jobStages } from './states.ts';

/** The `error` of a rejected or failed job, as its owner reads it. */
export const jobErrorSchema = z.object({
  code: z.enum(jobErrorCodes),
  message: z.string(),
  stage: z.enum(jobStages),
  retryable: z.boolean(),
  output: z.string().optional().meta({ description: 'The output that failed, of a job of several.' }),
});

/** How outputs have ended that were not made, by their names. */
export const outputEndsSchema = z.record(
  z.string(),
  z.object({ state: z.enum(['skipped', 'failed']), error: jobErrorSchema.optional() }),
);

export type OutputEnds = z.infer<typeof outputEndsSchema>;

export type JobFailure = z.infer<typeof jobErrorSchema>;
