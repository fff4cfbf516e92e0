import * as z from 'zod';
import type { ParallelStateMachine } from '../../core/jobs/chunked-ports.ts';
import type { JobQueue } from '../../core/jobs/job-queue.ts';
import type { FargateMachine } from '../../core/jobs/ports.ts';
import { jsonText } from '../../core/json-text.ts';
import { pricedStageSchema } from '../../core/pricing/region-prices.ts';
import { leavingLimits, type TerminateJobDeps } from '../../core/termination/terminate-job.ts';
import { concurrencyLimits } from '../dynamodb/concurrency-limits.ts';
import { runningLimit } from '../dynamodb/running-limit.ts';
import { longLimitSort } from '../dynamodb/table-keys.ts';
import { transcodeQueue } from '../sqs/queues.ts';
import { jobStateMachine } from '../stepfunctions/state-machines.ts';
import { dynamo } from './clients/dynamo.ts';
import { stepFunctions } from './clients/sfn.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv, readOwnerLimits } from './env.ts';
import { logger } from './logger.ts';
import { startDeliveryDeps } from './start-delivery-deps.ts';

/** The queue of jobs, with the limits of those that run. */
export function jobQueue(): JobQueue {
  const env = readEnv(
    z.object({ TABLE_NAME: z.string(), TRANSCODE_QUEUE_URL: z.url(), WORKERS: z.coerce.number().int() }),
  );
  const { maxRunningJobs } = readOwnerLimits();
  return {
    ...transcodeQueue(sqs, env.TRANSCODE_QUEUE_URL),
    running: runningLimit(dynamo, env.TABLE_NAME, maxRunningJobs),
    long: concurrencyLimits(dynamo, env.TABLE_NAME, longLimitSort),
    maxRunningJobs,
    workers: env.WORKERS,
  };
}

/** The dependencies of a function that can end or requeue a processing job: its table lets the job leave the limits. */
export function runningJobDeps() {
  const env = readEnv(z.object({ PRICED_STAGE: jsonText(pricedStageSchema) }));
  const deps: TerminateJobDeps = { ...startDeliveryDeps(), money: { stage: env.PRICED_STAGE } };
  const queue = jobQueue();
  const jobs = leavingLimits(deps.jobs, {
    queue,
    onLeaveFailed: ({ jobId }, cause) =>
      logger.warn('The job still counts as a running one. The next claim that is over the limit corrects that', {
        jobId,
        error: cause,
      }),
  });
  return { ...deps, jobs, queue };
}

/** The state machines to which jobs are delegated. A stage without Fargate tasks has one. */
export function jobStateMachines(): { parallel: ParallelStateMachine; fargateMachine: FargateMachine | undefined } {
  const { PARALLEL_STATE_MACHINE_ARN: parallel, FARGATE_STATE_MACHINE_ARN: fargate } = readEnv(
    z.object({ PARALLEL_STATE_MACHINE_ARN: z.string(), FARGATE_STATE_MACHINE_ARN: z.string().optional() }),
  );
  return {
    parallel: jobStateMachine(stepFunctions, parallel),
    fargateMachine: fargate === undefined ? undefined : jobStateMachine(stepFunctions, fargate),
  };
}
