import * as z from 'zod';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { integerBetween } from '../../core/integer-between.ts';

/** Who takes jobs from the queue. */
export const transcoderSchema = z
  .strictObject({
    memoryMb: integerBetween(1024, 10_240).default(3008).meta({
      description:
        'Memory of the transcoder; its share of CPU grows with it. New accounts may not exceed 3008.',
    }),
    maxConcurrency: integerBetween(2, 1000).default(2).meta({
      description: 'Jobs transcoded at the same time at most.',
    }),
    reservedConcurrency: integerBetween(2, 1000).optional().meta({
      description: 'Executions set aside for the transcoder. Unset by default: new accounts have 10 in all.',
    }),
  })
  .refine(
    ({ maxConcurrency, reservedConcurrency }) =>
      reservedConcurrency === undefined || reservedConcurrency >= maxConcurrency,
    {
      path: ['reservedConcurrency'],
      message:
        'must be at least transcoder.maxConcurrency, or the queue would hand over jobs that cannot run',
    },
  );

/** How long videos are cut, and who works on their parts. */
export const parallelSchema = chunkSettingsSchema
  .extend({
    reservedConcurrency: integerBetween(2, 1000).optional().meta({
      description:
        'Executions set aside for encoding parts of jobs. Unset by default, as that of the transcoder.',
    }),
  })
  .refine(
    ({ maxParallelChunks, reservedConcurrency }) =>
      reservedConcurrency === undefined || reservedConcurrency >= maxParallelChunks,
    {
      path: ['reservedConcurrency'],
      message:
        'must be at least parallel.maxParallelChunks, or the parts of one job would wait for each other',
    },
  );
