import type { Context } from 'aws-lambda';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { runTaskMessage } from '../chunked/run-task-message.ts';
import { secondRunOf } from '../chunked/second-run.ts';
import { encodeChunkInputSchema } from '../chunked/task-input.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { outlastOutages } from '../runtime/clients/outage-retries.ts';
import { deadlineOf } from '../runtime/deadline.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { rangeProxies } from '../runtime/range-proxies.ts';
import { readTaskEvent, taskCallbackDeps, taskEnvSchema } from '../runtime/task-event.ts';
import { fontsEnvSchema, workerDeps, workerEnvSchema } from '../runtime/worker-env.ts';
import { type EncodeChunkResult, encodeChunk } from './app.ts';

const env = readEnv(workerEnvSchema.extend({ ...taskEnvSchema.shape, ...fontsEnvSchema.shape }));
const callbackDeps = taskCallbackDeps(env);
const { media, ...worker } = workerDeps(env);
const { maxRunningChunks } = readOwnerLimits();

const work = encodeChunk({
  ...worker,
  jobs: jobTable(dynamo, env.TABLE_NAME),
  fontsDirectory: env.FONTS_PATH,
  openRangeProxy: rangeProxies(media, env.TABLE_NAME),
  onUnexpected: ({ jobId }, cause) =>
    logger.error('Unexpected error in a chunk task', { jobId, error: cause }),
});

export async function handler(
  event: unknown,
  context: Context,
): Promise<{ status: EncodeChunkResult | 'abandoned' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task, group } = readTaskEvent(event, encodeChunkInputSchema);
    const { ownerId, jobId, chunk } = task;
    startInvocationLog(context, { ownerId, jobId, chunk });
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    const secondRun = secondRunOf(callbackDeps.queue, { message, task, group, maxRunningChunks });
    const status = await runTaskMessage(callbackDeps, { ...message, secondRun }, () =>
      work(task, deadline, secondRun),
    );
    logger.info('Chunk task ended', { status, isSecondRun: task.isSecondRun });
    if (secondRun?.isStarted()) logger.warn('The chunk task was late and has run twice');
    return { status };
  });
}
