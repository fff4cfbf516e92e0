import * as z from 'zod';
import type { JobQueue } from '../../core/jobs/job-queue.ts';
import { jsonText } from '../../core/json-text.ts';
import { pricedStageSchema } from '../../core/pricing/priced-stage.ts';
import { freeingSlots, type TerminateJobDeps } from '../../core/termination/terminate-job.ts';
import { concurrencyLimits } from '../dynamodb/concurrency-limits.ts';
import { runningSlots } from '../dynamodb/running-slots.ts';
import { longLimitSort } from '../dynamodb/table-keys.ts';
import { transcodeQueue } from '../sqs/transcode-queue.ts';
import { dynamo } from './clients/dynamo.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv, readOwnerLimits } from './env.ts';
import { logger } from './logger.ts';
import { startDeliveryDeps } from './start-delivery-deps.ts';

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

/** The dependencies of a function that can end or requeue a processing job: its table frees the job's slot. */
export function runningJobDeps() {
  const env = readEnv(z.object({ PRICED_STAGE: jsonText(pricedStageSchema) }));
  const deps: TerminateJobDeps = { ...startDeliveryDeps(), money: { stage: env.PRICED_STAGE } };
  const queue = jobQueue();
  const jobs = freeingSlots(deps.jobs, {
    queue,
    onSlotFailure: ({ jobId }, cause) =>
      logger.warn("The job's slot was not freed. The next claim that needs it frees it", { jobId, error: cause }),
  });
  return { ...deps, jobs, queue };
}
