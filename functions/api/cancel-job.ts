import * as z from 'zod';
import { parallelMachine } from '../../adapters/stepfunctions/parallel-machine.ts';
import { cancelJobContract } from '../../core/api/job-actions.ts';
import { stepFunctions } from '../runtime/clients/sfn.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { logger } from '../runtime/logger.ts';
import { runningJobDeps } from '../runtime/running-jobs.ts';
import { cancelJob } from './app/cancel-job.ts';

const env = readEnv(z.object({ PARALLEL_STATE_MACHINE_ARN: z.string() }));

export const handler = route(
  cancelJobContract,
  cancelJob({
    ...runningJobDeps(),
    parallel: parallelMachine(stepFunctions, env.PARALLEL_STATE_MACHINE_ARN),
    onStopFailed: ({ jobId }, cause) =>
      logger.warn(
        'The execution could not be stopped. Its chunk tasks stop once they see that the job has ended',
        { jobId, error: cause },
      ),
  }),
);
