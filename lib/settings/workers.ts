import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';

/** Time after which Lambda ends a worker: its maximum. */
export const workerTimeoutSeconds = 15 * 60;

/** Lambda's memory limit in new accounts. */
export const newAccountMemoryMb = 3008;

/** The function that processes jobs from the queue. */
export const transcoderSchema = z.strictObject({
  memoryMb: integerBetween(1024, 10_240)
    .default(newAccountMemoryMb)
    .meta({
      description: `Memory of the transcoder; its CPU share grows with it. New AWS accounts are limited to ${newAccountMemoryMb}.`,
    }),
});
