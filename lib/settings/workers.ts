import * as z from 'zod';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { integerBetween } from '../../core/integer-between.ts';
import { maxFirstAttempts } from './first-attempts.ts';
import { maxMappedConcurrency, maxWorkers, minMappedConcurrency } from './mapping-scale.ts';

/** Time after which Lambda ends a worker: its maximum. */
export const workerTimeoutSeconds = 15 * 60;

/** Lambda's memory limit in new accounts. */
export const newAccountMemoryMb = 3008;

/** The function that processes jobs from the queue. */
export const transcoderSchema = z
  .strictObject({
    memoryMb: integerBetween(1024, 10_240)
      .default(newAccountMemoryMb)
      .meta({
        description: `Memory of the transcoder; its CPU share grows with it. New AWS accounts are limited to ${newAccountMemoryMb}.`,
      }),
    maxConcurrency: integerBetween(2, maxWorkers)
      .default(2)
      .meta({
        description: `Maximum number of jobs transcoded at the same time. Above ${maxMappedConcurrency}, the queue gets provisioned pollers, which cost by the hour; before you lower it again, see "Run more jobs at the same time".`,
      }),
    reservedConcurrency: integerBetween(2, maxWorkers).optional().meta({
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
    maxConcurrency: integerBetween(2, maxWorkers)
      .default(3)
      .meta({
        description: `Maximum number of chunks encoded at the same time, over all jobs and owners. Above ${maxMappedConcurrency}, the queue gets provisioned pollers, which cost by the hour; before you lower it again, see "Run more jobs at the same time".`,
      }),
    reservedConcurrency: integerBetween(2, maxWorkers).optional().meta({
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

/** Chunk tasks at the same time for each join. The join of a long video takes seconds, its chunks minutes. */
const chunkTasksPerJoin = 20;

/** Joins at the same time, of all owners. */
export function maxConcurrentJoins({ maxConcurrency }: { maxConcurrency: number }): number {
  return Math.max(minMappedConcurrency, Math.ceil(maxConcurrency / chunkTasksPerJoin));
}

/** Lambda rejects a reservation that leaves fewer executions to the other functions, except in small accounts. */
export const minUnreserved = 100;

type ReservedConcurrency = Record<'transcode' | 'encodeChunk' | 'joinChunks', number | undefined>;

/**
 * Reserved concurrency of the workers: as set, otherwise their maximum if the account has enough executions, also while
 * first attempts of webhooks hang. A new account has 10, and Lambda rejects any reservation there; the queues bound the
 * workers in any case.
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
    joinChunks: maxConcurrentJoins(parallel),
  };
  const sum = Object.values(wanted).reduce<number>((total, each = 0) => total + each, 0);
  if (accountConcurrency - sum >= minUnreserved + maxFirstAttempts({ accountConcurrency })) return wanted;
  return {
    transcode: transcoder.reservedConcurrency,
    encodeChunk: parallel.reservedConcurrency,
    joinChunks: undefined,
  };
}
