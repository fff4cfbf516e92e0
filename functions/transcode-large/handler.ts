import { availableParallelism } from 'node:os';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { cpusOf } from '../../core/cost-model/processors.ts';
import { runTaskMessage } from '../chunked/task.ts';
import { encodeJobDeps, encodeJobEnvSchema } from '../runtime/encode-job-deps.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../runtime/task-event.ts';
import { shutdownReserveMs } from '../runtime/worker-env.ts';
import { type DelegatedJobResult, processDelegatedJob } from '../transcode/process-delegated-job.ts';

const env = readEnv(
  encodeJobEnvSchema.extend({
    ...taskEnvSchema.shape,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().int().min(128),
  }),
);
const callbackDeps = taskCallbackDeps(env);

const cpuCount = availableParallelism();
const memoryMb = env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE;
const {
  media: _,
  openBucket: __,
  ...deps
} = encodeJobDeps(env, { vcpus: cpusOf(memoryMb, cpuCount), cpuCount, memoryMb });

const work = processDelegatedJob({
  ...deps,
  others: env.PRICED_WORKERS.fargate === undefined ? [] : ['fargate'],
});

const inputSchema = z.object({ ownerId: z.string(), jobId: z.string(), leaseId: z.string() });

/** Lambda stops no function before its time-out. */
const stopped = new AbortController().signal;

export async function handler(
  event: unknown,
  context: Context,
): Promise<{ status: DelegatedJobResult | 'abandoned' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task } = readTaskEvent(event, inputSchema);
    startInvocationLog(context, { ownerId: task.ownerId, jobId: task.jobId });
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - shutdownReserveMs);
    const status = await runTaskMessage(callbackDeps, message, () => work(task, { deadline, stopped }));
    logger.info('Job processed', { status });
    return { status };
  });
}
