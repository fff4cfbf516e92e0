import * as z from 'zod';
import { chunkSettingsSchema } from '../chunking/settings.ts';

/** The workers of a stage as deployed: what the time and the price of a job depend on. */
export const pricedWorkersSchema = z.object({
  architecture: z.enum(['arm64', 'x86_64']),
  memoryMb: z.int().min(1),
  retentionDays: z.number().positive(),
  /** Seconds of a vCPU for each second of the calibrated machine. */
  slowness: z.number().positive(),
  chunking: chunkSettingsSchema,
});

export type PricedWorkers = z.output<typeof pricedWorkersSchema>;
