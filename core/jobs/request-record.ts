import { speeds } from '@media-jobs/video/encoding';
import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';

const storedInputSchema = z.looseObject({
  url: z.string().optional(),
  storageProviderId: z.string().optional(),
  key: z.string().optional(),
});
const storedRecipeSchema = z.looseObject({ name: z.string() });
const keepDays = z.number().nullable().optional();

/** A job's request as it was accepted. Loose, so that requests of older versions stay readable. */
export const jobRequestSchema = z.looseObject({
  mode: z.string(),
  input: storedInputSchema.optional(),
  inputs: z.array(storedInputSchema).optional(),
  output: z.looseObject({ format: z.string(), keepDays }).optional(),
  recipe: storedRecipeSchema.optional(),
  steps: z.array(z.looseObject({ name: z.string().optional(), recipe: storedRecipeSchema })).optional(),
  outputs: z
    .record(
      z.string(),
      z.looseObject({ from: z.string().optional(), recipe: storedRecipeSchema, format: z.string(), keepDays }),
    )
    .optional(),
  webhookUrl: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  speed: z.enum(speeds).optional(),
  /** Only of economy jobs. */
  finishBy: timestampSchema.optional(),
  maxCostUsd: z.number().optional(),
  keepDays,
  priority: z.number().optional(),
});

export type JobRequestRecord = z.infer<typeof jobRequestSchema>;
