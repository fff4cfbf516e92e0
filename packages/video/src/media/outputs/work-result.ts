import * as z from 'zod';
import { jobWarningsSchema } from '../warning.ts';

/** What a completed encode tells besides its files. */
export const workResultSchema = z.object({
  inputSizeBytes: z.number(),
  mediaSeconds: z.number().optional(),
  measurements: z.record(z.string(), z.number()).optional(),
  warnings: jobWarningsSchema.optional(),
});
