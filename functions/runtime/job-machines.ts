import * as z from 'zod';
import { jobMachine } from '../../adapters/stepfunctions/job-machine.ts';
import type { ParallelMachine } from '../../core/chunking/ports.ts';
import type { FargateMachine } from '../../core/jobs/ports.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';

/** The state machines to which jobs are delegated. `fargateMachine` is undefined if the stage has no Fargate tasks. */
export function jobMachines(): { parallel: ParallelMachine; fargateMachine?: FargateMachine } {
  const { PARALLEL_STATE_MACHINE_ARN: parallelArn, FARGATE_STATE_MACHINE_ARN: fargateArn } = readEnv(
    z.object({ PARALLEL_STATE_MACHINE_ARN: z.string(), FARGATE_STATE_MACHINE_ARN: z.string().optional() }),
  );
  return {
    parallel: jobMachine(stepFunctions, parallelArn),
    ...(fargateArn === undefined ? {} : { fargateMachine: jobMachine(stepFunctions, fargateArn) }),
  };
}
