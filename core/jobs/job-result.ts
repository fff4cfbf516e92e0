import * as z from 'zod';
import { storedFileSchema } from './stored-file.ts';
import { jobWarningsSchema } from './warning.ts';

/** The result in a completed job's record. */
export const jobResultSchema = z.object({
  files: z.record(z.string(), storedFileSchema),
  inputSizeBytes: z.number(),
  mediaSeconds: z.number().optional(),
  measurements: z.record(z.string(), z.number()).optional(),
  warnings: jobWarningsSchema.optional(),
});

export type JobResult = z.infer<typeof jobResultSchema>;
