import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { startS3RangeProxy } from '../../adapters/s3/s3-range-proxy.ts';
import { transcodeQueue } from '../../adapters/sqs/transcode-queue.ts';
import { answerTask } from '../chunked/answer-task.ts';
import { joinChunksInputSchema } from '../chunked/task.ts';
import { sqs } from '../runtime/clients/sqs.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { newId } from '../runtime/random.ts';
import { answerTaskDeps, readTaskEvent, taskEnvSchema } from '../runtime/task-event.ts';
import { terminateJobDeps } from '../runtime/terminate-job-deps.ts';
import { shutdownReserveMs, workerDeps, workerEnvSchema } from '../runtime/worker-deps.ts';
import { finishChunkedJob, type JoinChunksResult } from './app.ts';

const env = readEnv(workerEnvSchema.extend({ ...taskEnvSchema.shape, TRANSCODE_QUEUE_URL: z.url() }));
const answering = answerTaskDeps(env);
const { media, ...worker } = workerDeps(env);

const work = finishChunkedJob({
  ...terminateJobDeps(),
  ...worker,
  queue: transcodeQueue(sqs, env.TRANSCODE_QUEUE_URL),
  openS3RangeProxy: (objects, signal) => startS3RangeProxy(media, { objects, token: newId(), signal }),
  onUnexpected: ({ jobId }, cause) => logger.error('Unexpected error in a join', { jobId, error: cause }),
});

export async function handler(
  event: unknown,
  context: Context,
): Promise<{ status: JoinChunksResult | 'given-up' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const { message, task } = readTaskEvent(event, joinChunksInputSchema);
    const { ownerId, jobId, failed } = task;
    startInvocationLog(context, { ownerId, jobId });
    if (failed) logger.warn('A chunk task or an earlier join failed');
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - shutdownReserveMs);
    const status = await answerTask(answering, message, () => work(task, deadline));
    logger.info('Join ended', { status });
    return { status };
  });
}
