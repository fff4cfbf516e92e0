import { workResultSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import { outputEndsSchema } from './job-error.ts';
import { storedFileSchema } from './stored-file.ts';

/** Of a job of several outputs. */
export const ofOutputs = {
  ended: outputEndsSchema.optional(),
  /** Milliseconds that workers took for each output, by its name. */
  outputMs: z.record(z.string(), z.int().min(0)).optional(),
};

/** The result in a completed job's record. */
export const jobResultSchema = workResultSchema.extend({
  ...ofOutputs,
  files: z.record(z.string(), storedFileSchema),
});

export type JobResult = z.infer<typeof jobResultSchema>;
