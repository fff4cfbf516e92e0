import type { Context } from 'aws-lambda';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits } from '../../adapters/runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { openJob } from '../../adapters/runtime/open-job.ts';
import { rangeProxies } from '../../adapters/runtime/range-proxies.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../../adapters/runtime/task-event.ts';
import { workerEnvSchema, workerPorts } from '../../adapters/runtime/worker-env.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { encodeChunkInputSchema, runTaskMessage, secondRunOf } from '../../core/chunked/run-task-message.ts';
import { type EncodeChunkResult, encodeChunk } from './app.ts';

const env = readEnv(workerEnvSchema.extend(taskEnvSchema.shape));
const callbackDeps = taskCallbackDeps(env);
const { bucket, ...worker } = workerPorts(env);
const { maxRunningChunks } = readOwnerLimits();

const work = encodeChunk({
  ...worker,
  jobs: jobTable(dynamo, env.TABLE_NAME),
  fontsDirectory: env.FONTS_PATH,
  openRangeProxy: rangeProxies(bucket, env.TABLE_NAME),
  onUnexpected: ({ jobId }, cause) => logger.error('Unexpected error in a chunk task', { jobId, error: cause }),
});

export async function handler(event: unknown, context: Context): Promise<{ status: EncodeChunkResult | 'abandoned' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task, group } = readTaskEvent(event, encodeChunkInputSchema);
    const { ownerId, jobId, leaseId, chunk } = task;
    const lease = { ownerId, jobId, leaseId };
    startInvocationLog(context, { ownerId, jobId, chunk });
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    const secondRun = secondRunOf(callbackDeps.queue, { message, task, group, maxRunningChunks });
    const run = async () => ((await openJob({ lease })) ? work(task, deadline, secondRun) : 'lost');
    const status = await runTaskMessage(callbackDeps, { ...message, secondRun }, run);
    logger.info('Chunk task ended', { status, isSecondRun: task.isSecondRun });
    if (secondRun?.isStarted()) logger.warn('The chunk task was late and has run twice');
    return { status };
  });
}
