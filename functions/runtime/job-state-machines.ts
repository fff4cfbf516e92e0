import * as z from 'zod';
import { jobStateMachine } from '../../adapters/stepfunctions/job-state-machine.ts';
import type { ParallelStateMachine } from '../../core/chunking/ports.ts';
import type { FargateStateMachine } from '../../core/jobs/ports.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';

/** The state machines to which jobs are delegated. `fargateStateMachine` is undefined if the stage has no Fargate tasks. */
export function jobStateMachines(): {
  parallel: ParallelStateMachine;
  fargateStateMachine?: FargateStateMachine;
} {
  const { PARALLEL_STATE_MACHINE_ARN: parallelArn, FARGATE_STATE_MACHINE_ARN: fargateArn } = readEnv(
    z.object({ PARALLEL_STATE_MACHINE_ARN: z.string(), FARGATE_STATE_MACHINE_ARN: z.string().optional() }),
  );
  return {
    parallel: jobStateMachine(stepFunctions, parallelArn),
    ...(fargateArn === undefined ? {} : { fargateStateMachine: jobStateMachine(stepFunctions, fargateArn) }),
  };
}
