import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import * as z from 'zod';
import { pricedFargateSchema, pricedStageSchema } from './priced-stage.ts';

/** The workers of a stage as deployed: what the time and the price of a job depend on. */
export const pricedWorkersSchema = pricedStageSchema.extend({
  /** Seconds of a vCPU for each second of the calibrated machine. */
  slowness: z.number().positive(),
  /** Seconds after which Lambda ends a worker. */
  timeoutSeconds: z.int().min(1),
  chunking: chunkSettingsSchema,
  /** Undefined if the stage has no Fargate tasks. A task has so many hours for a job. */
  fargate: pricedFargateSchema.extend({ maxHours: z.number().positive() }).optional(),
});

export type PricedWorkers = z.output<typeof pricedWorkersSchema>;
