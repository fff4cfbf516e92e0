import * as z from 'zod';
import { integerBetween } from '../../core/integer-between.ts';
import { maxWorkers } from './mapping-scale.ts';

/** Lambda's memory limit in new accounts. */
export const newAccountMemoryMb = 3008;

/** Functions with more memory and processors, for whole jobs that need them. */
export const largeWorkersSchema = z.strictObject({
  memoryMb: integerBetween(newAccountMemoryMb + 1, 10_240)
    .default(10_240)
    .meta({
      description: `Memory of the large functions, more than transcoder.memoryMb. New AWS accounts are limited to ${newAccountMemoryMb}.`,
    }),
  maxConcurrency: integerBetween(2, maxWorkers).default(2).meta({
    description: 'Maximum number of jobs in large functions at the same time, over all owners.',
  }),
});

export type LargeWorkersSettings = z.output<typeof largeWorkersSchema>;
