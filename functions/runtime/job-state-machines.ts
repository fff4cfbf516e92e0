import * as z from 'zod';
import { jobStateMachine } from '../../adapters/stepfunctions/job-state-machine.ts';
import type { ParallelStateMachine } from '../../core/chunking/ports.ts';
import type { WholeJobMachines } from '../../core/jobs/ports.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';

/** The state machines to which jobs are delegated. `wholeJobs` has those of the other workers that the stage has. */
export function jobStateMachines(): { parallel: ParallelStateMachine; wholeJobs: WholeJobMachines } {
  const arns = readEnv(
    z.object({
      PARALLEL_STATE_MACHINE_ARN: z.string(),
      LARGE_STATE_MACHINE_ARN: z.string().optional(),
      FARGATE_STATE_MACHINE_ARN: z.string().optional(),
    }),
  );
  const { LARGE_STATE_MACHINE_ARN: large, FARGATE_STATE_MACHINE_ARN: fargate } = arns;
  return {
    parallel: jobStateMachine(stepFunctions, arns.PARALLEL_STATE_MACHINE_ARN),
    wholeJobs: {
      ...(large === undefined ? {} : { large: jobStateMachine(stepFunctions, large) }),
      ...(fargate === undefined ? {} : { fargate: jobStateMachine(stepFunctions, fargate) }),
    },
  };
}
