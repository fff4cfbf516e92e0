import type { Context } from 'aws-lambda';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { jobClients } from '../../adapters/runtime/job-clients.ts';
import { runningJobDeps } from '../../adapters/runtime/job-queue.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { objectStores } from '../../adapters/runtime/object-stores.ts';
import { openJob } from '../../adapters/runtime/open-job.ts';
import { rangeProxies } from '../../adapters/runtime/range-proxies.ts';
import { contentKeys } from '../../adapters/runtime/stage-ciphers.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../../adapters/runtime/task-event.ts';
import { workerEnvSchema, workerPorts } from '../../adapters/runtime/worker-env.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { joinChunksInputSchema, runTaskMessage } from '../../core/chunked/run-task-message.ts';
import { finishChunkedJob, type JoinChunksResult } from './app.ts';

const env = readEnv(workerEnvSchema.extend(taskEnvSchema.shape));
const callbackDeps = taskCallbackDeps(env);
const { bucket, ...worker } = workerPorts(env);

const work = finishChunkedJob({
  ...worker,
  openObjectStore: objectStores(env.TABLE_NAME, jobClients()),
  contentKeys: contentKeys(),
  ...runningJobDeps(),
  openRangeProxy: rangeProxies(bucket, env.TABLE_NAME),
  onUnexpected: ({ jobId }, cause) => logger.error('Unexpected error in a join', { jobId, error: cause }),
});

export async function handler(event: unknown, context: Context): Promise<{ status: JoinChunksResult | 'abandoned' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task } = readTaskEvent(event, joinChunksInputSchema);
    const { ownerId, jobId, leaseId, failed } = task;
    const lease = { ownerId, jobId, leaseId };
    startInvocationLog(context, { ownerId, jobId });
    if (failed) logger.warn('A chunk task or an earlier join failed');
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    const run = async () => ((await openJob({ lease })) ? work(task, deadline) : 'lost');
    const status = await runTaskMessage(callbackDeps, message, run);
    logger.info('Join ended', { status });
    return { status };
  });
}
