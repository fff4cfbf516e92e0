import * as z from 'zod';
import type { JobQueue } from '../../core/jobs/job-queue.ts';
import { concurrencyLimits } from '../dynamodb/concurrency-limits.ts';
import { runningSlots } from '../dynamodb/running-slots.ts';
import { longLimitSort } from '../dynamodb/table-keys.ts';
import { transcodeQueue } from '../sqs/transcode-queue.ts';
import { dynamo } from './clients/dynamo.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv, readOwnerLimits } from './env.ts';

/** The queue of jobs, with the slots of those that run. */
export function jobQueue(): JobQueue {
  const env = readEnv(
    z.object({ TABLE_NAME: z.string(), TRANSCODE_QUEUE_URL: z.url(), WORKERS: z.coerce.number().int() }),
  );
  const { maxRunningJobs } = readOwnerLimits();
  return {
    ...transcodeQueue(sqs, env.TRANSCODE_QUEUE_URL),
    running: runningSlots(dynamo, env.TABLE_NAME, maxRunningJobs),
    long: concurrencyLimits(dynamo, env.TABLE_NAME, longLimitSort),
    maxRunningJobs,
    workers: env.WORKERS,
  };
}
