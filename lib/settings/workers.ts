import * as z from 'zod';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { integerBetween } from '../../core/integer-between.ts';

/** The function that processes jobs from the queue. */
export const transcoderSchema = z
  .strictObject({
    memoryMb: integerBetween(1024, 10_240).default(3008).meta({
      description:
        'Memory of the transcoder; its CPU share grows with it. New AWS accounts are limited to 3008.',
    }),
    maxConcurrency: integerBetween(2, 1000).default(2).meta({
      description: 'Maximum number of jobs transcoded at the same time.',
    }),
    reservedConcurrency: integerBetween(2, 1000).optional().meta({
      description:
        'Reserved concurrency of the transcoder. Unset by default: new AWS accounts have 10 executions in total.',
    }),
  })
  .refine(
    ({ maxConcurrency, reservedConcurrency }) =>
      reservedConcurrency === undefined || reservedConcurrency >= maxConcurrency,
    {
      path: ['reservedConcurrency'],
      message:
        'must be at least transcoder.maxConcurrency, or the queue would deliver jobs that Lambda throttles',
    },
  );

/** Chunking of long videos, and the function that encodes the chunks. */
export const parallelSchema = chunkSettingsSchema
  .extend({
    reservedConcurrency: integerBetween(2, 1000).optional().meta({
      description: 'Reserved concurrency for encoding chunks. Unset by default, like that of the transcoder.',
    }),
  })
  .refine(
    ({ maxParallelChunks, reservedConcurrency }) =>
      reservedConcurrency === undefined || reservedConcurrency >= maxParallelChunks,
    {
      path: ['reservedConcurrency'],
      message:
        'must be at least parallel.maxParallelChunks, or the chunks of one job would wait for each other',
    },
  );
