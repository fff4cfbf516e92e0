import * as z from 'zod';
import type { ParallelStateMachine } from '../../core/jobs/chunked-ports.ts';
import type { FargateMachine } from '../../core/jobs/ports.ts';
import { jobStateMachine } from '../stepfunctions/job-state-machine.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';

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
