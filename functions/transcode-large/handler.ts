import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { runTaskMessage } from '../chunked/run-task-message.ts';
import { outlastOutages } from '../runtime/clients/outage-retries.ts';
import { deadlineOf } from '../runtime/deadline.ts';
import { encodeJobDeps, encodeJobEnvSchema, functionComputer } from '../runtime/encode-job-deps.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../runtime/task-event.ts';
import { type DelegatedJobResult, processDelegatedJob } from '../transcode/process-delegated-job.ts';

const env = readEnv(encodeJobEnvSchema.extend(taskEnvSchema.shape));
const callbackDeps = taskCallbackDeps(env);
const { media: _, openBucket: __, ...deps } = encodeJobDeps(env, functionComputer(env));

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
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    const status = await runTaskMessage(callbackDeps, message, () => work(task, { deadline, stopped }));
    logger.info('Job processed', { status });
    return { status };
  });
}
