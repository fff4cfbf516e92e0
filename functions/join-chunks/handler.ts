import type { Context } from 'aws-lambda';
import { runTaskMessage } from '../chunked/run-task-message.ts';
import { joinChunksInputSchema } from '../chunked/task-input.ts';
import { outlastOutages } from '../runtime/clients/outage-retries.ts';
import { deadlineOf } from '../runtime/deadline.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { objectStores } from '../runtime/object-stores.ts';
import { rangeProxies } from '../runtime/range-proxies.ts';
import { runningJobDeps } from '../runtime/running-jobs.ts';
import { contentKeys } from '../runtime/stage-ciphers.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../runtime/task-event.ts';
import { workerDeps, workerEnvSchema } from '../runtime/worker-env.ts';
import { finishChunkedJob, type JoinChunksResult } from './app.ts';

const env = readEnv(workerEnvSchema.extend(taskEnvSchema.shape));
const callbackDeps = taskCallbackDeps(env);
const { media, ...worker } = workerDeps(env);

const work = finishChunkedJob({
  ...worker,
  openObjectStore: objectStores(env.TABLE_NAME),
  contentKeys: contentKeys(),
  ...runningJobDeps(),
  openRangeProxy: rangeProxies(media, env.TABLE_NAME),
  onUnexpected: ({ jobId }, cause) => logger.error('Unexpected error in a join', { jobId, error: cause }),
});

export async function handler(
  event: unknown,
  context: Context,
): Promise<{ status: JoinChunksResult | 'abandoned' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task } = readTaskEvent(event, joinChunksInputSchema);
    const { ownerId, jobId, failed } = task;
    startInvocationLog(context, { ownerId, jobId });
    if (failed) logger.warn('A chunk task or an earlier join failed');
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    const status = await runTaskMessage(callbackDeps, message, () => work(task, deadline));
    logger.info('Join ended', { status });
    return { status };
  });
}
