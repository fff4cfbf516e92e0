import * as z from 'zod';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { integerBetween } from '../../core/integer-between.ts';

/** Time after which Lambda ends a worker: its maximum. */
export const workerTimeoutSeconds = 15 * 60;

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
        'Reserved concurrency of the transcoder. Unset: transcoder.maxConcurrency, if accountConcurrency allows it.',
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
    maxConcurrency: integerBetween(2, 1000).default(3).meta({
      description: 'Maximum number of chunks encoded at the same time, over all jobs and owners.',
    }),
    reservedConcurrency: integerBetween(2, 1000).optional().meta({
      description:
        'Reserved concurrency for encoding chunks. Unset: parallel.maxConcurrency, if accountConcurrency allows it.',
    }),
  })
  .refine(
    ({ maxConcurrency, reservedConcurrency }) =>
      reservedConcurrency === undefined || reservedConcurrency >= maxConcurrency,
    {
      path: ['reservedConcurrency'],
      message:
        'must be at least parallel.maxConcurrency, or the queue would deliver chunks that Lambda throttles',
    },
  );

/** Joins at the same time: the minimum of an event source mapping. A join takes seconds. */
export const maxConcurrentJoins = 2;

/** Lambda refuses a reservation that leaves fewer executions to the other functions. */
export const minUnreserved = 100;

type ReservedConcurrency = Record<'transcode' | 'encodeChunk' | 'joinChunks', number | undefined>;

/**
 * Reserved concurrency of the workers: as set, otherwise their maximum if the account has enough executions. A new
 * account has 10, and Lambda refuses any reservation there; the queues bound the workers in any case.
 */
export function reservedConcurrency({
  accountConcurrency,
  transcoder,
  parallel,
}: {
  accountConcurrency: number;
  transcoder: z.output<typeof transcoderSchema>;
  parallel: z.output<typeof parallelSchema>;
}): ReservedConcurrency {
  const wanted = {
    transcode: transcoder.reservedConcurrency ?? transcoder.maxConcurrency,
    encodeChunk: parallel.reservedConcurrency ?? parallel.maxConcurrency,
    joinChunks: maxConcurrentJoins,
  };
  const sum = wanted.transcode + wanted.encodeChunk + wanted.joinChunks;
  if (accountConcurrency - sum >= minUnreserved) return wanted;
  return {
    transcode: transcoder.reservedConcurrency,
    encodeChunk: parallel.reservedConcurrency,
    joinChunks: undefined,
  };
}
