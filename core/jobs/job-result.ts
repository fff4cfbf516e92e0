import { workResultSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import { storedFileSchema } from './stored-file.ts';

/** The result in a completed job's record. */
export const jobResultSchema = workResultSchema.extend({
  files: z.record(z.string(), storedFileSchema),
});

export type JobResult = z.infer<typeof jobResultSchema>;
