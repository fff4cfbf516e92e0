import { cancelJobContract } from '../../core/api/job-actions.ts';
import { route } from '../runtime/http/route.ts';
import { jobStateMachines } from '../runtime/job-state-machines.ts';
import { logger } from '../runtime/logger.ts';
import { runningJobDeps } from '../runtime/running-jobs.ts';
import { cancelJob } from './app/cancel-job.ts';

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
