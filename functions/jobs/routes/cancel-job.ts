import { route } from '../../../adapters/runtime/http/route.ts';
import { jobStateMachines } from '../../../adapters/runtime/job-state-machines.ts';
import { logger } from '../../../adapters/runtime/logger.ts';
import { runningJobDeps } from '../../../adapters/runtime/running-jobs.ts';
import { cancelJobContract } from '../../../core/api/job-actions.ts';
import { cancelJob } from '../cancel-job.ts';

export const handler = route(
  cancelJobContract,
  cancelJob({
    ...runningJobDeps(),
    ...jobStateMachines(),
    onStopFailed: ({ jobId }, cause) =>
      logger.warn('The execution could not be stopped. Its tasks stop once they see that the job has ended', {
        jobId,
        error: cause,
      }),
  }),
);
