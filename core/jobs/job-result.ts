import * as z from 'zod';
import { workResultSchema } from '../media/outputs/work-result.ts';
import { storedFileSchema } from './stored-file.ts';

/** The result in a completed job's record. */
export const jobResultSchema = workResultSchema.extend({
  files: z.record(z.string(), storedFileSchema),
});

export type JobResult = z.infer<typeof jobResultSchema>;
