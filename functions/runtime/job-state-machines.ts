import * as z from 'zod';
import { jobStateMachine } from '../../adapters/stepfunctions/job-state-machine.ts';
import type { ParallelStateMachine } from '../../core/chunking/ports.ts';
import type { OtherWorkerMachines } from '../../core/jobs/ports.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';

/** The state machines to which jobs are delegated. */
export function jobStateMachines(): {
  parallel: ParallelStateMachine;
  otherWorkerMachines: OtherWorkerMachines;
} {
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
    otherWorkerMachines: {
      ...(large === undefined ? {} : { large: jobStateMachine(stepFunctions, large) }),
      ...(fargate === undefined ? {} : { fargate: jobStateMachine(stepFunctions, fargate) }),
    },
  };
}
