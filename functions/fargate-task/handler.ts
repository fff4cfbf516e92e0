import * as z from 'zod';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { leaseChanged, openJob } from '../../adapters/runtime/open-job.ts';
import { newId } from '../../adapters/runtime/random.ts';
import { wholeJobEnvSchema, wholeJobPorts } from '../../adapters/runtime/whole-job-ports.ts';
import type { TaskPorts } from '../../core/worker/ports.ts';
import { takeOverJob } from '../transcode/take-over-job.ts';
import { transcode } from '../transcode/transcode.ts';

/** Limits come from the task definition, the job from the state machine. */
const env = readEnv(
  wholeJobEnvSchema.extend({
    FARGATE_MAX_SECONDS: z.coerce.number().int().min(1),
    FARGATE_VCPUS: z.coerce.number().positive(),
    FARGATE_MEMORY_MB: z.coerce.number().int().min(1),
    OWNER_ID: z.string(),
    JOB_ID: z.string(),
    LEASE_ID: z.string(),
  }),
);

/** ECS sends SIGTERM before it kills a task: when its execution is stopped, or Spot capacity is taken back. */
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort(new Error('ECS stops the task')));

const { bucket: _, ...encodeDeps } = wholeJobPorts(env, {
  vcpus: env.FARGATE_VCPUS,
  cpuCount: Math.ceil(env.FARGATE_VCPUS),
  memoryMb: env.FARGATE_MEMORY_MB,
});
const deps: TaskPorts = { kind: 'task', ...encodeDeps };

async function main(): Promise<void> {
  const input = { ownerId: env.OWNER_ID, jobId: env.JOB_ID, leaseId: env.LEASE_ID };
  startInvocationLog({ awsRequestId: newId() }, { ownerId: input.ownerId, jobId: input.jobId });
  const deadline = new Date(Date.now() + env.FARGATE_MAX_SECONDS * 1000);
  outlastOutages(deadline);
  const take = async () => {
    if ((await openJob({ lease: input })) === undefined) return undefined;
    const job = await takeOverJob(deps, input);
    if (job !== undefined) leaseChanged(job);
    return job;
  };
  const result = await logFailure(() => transcode(deps, { take, deadline, stopped: stopped.signal }));
  logger.info('Job processed', { result });
}

// A task that failed fails its execution, which raises the alarm.
main().catch(() => {
  process.exitCode = 1;
});
