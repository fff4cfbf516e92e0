import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { pricedStageSchema } from '../../core/pricing/priced-stage.ts';
import { freeingSlots, type TerminateJobDeps } from '../../core/termination/terminate-job.ts';
import { readEnv } from './env.ts';
import { jobQueue } from './job-queue.ts';
import { logger } from './logger.ts';
import { startDeliveryDeps } from './start-delivery-deps.ts';

/** The dependencies of a function that can end or requeue a processing job: its table frees the job's slot. */
export function runningJobDeps() {
  const env = readEnv(z.object({ PRICED_STAGE: jsonText(pricedStageSchema) }));
  const deps: TerminateJobDeps = { ...startDeliveryDeps(), money: { stage: env.PRICED_STAGE } };
  const queue = jobQueue();
  const jobs = freeingSlots(deps.jobs, {
    queue,
    onSlotFailure: ({ jobId }, cause) =>
      logger.warn("The job's slot was not freed. The next claim that needs it frees it", {
        jobId,
        error: cause,
      }),
  });
  return { ...deps, jobs, queue };
}
