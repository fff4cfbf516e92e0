import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { openDoor } from '../../adapters/s3/media-door.ts';
import { transcodeQueue } from '../../adapters/sqs/transcode-queue.ts';
import { joinTaskSchema } from '../parts/task.ts';
import { sqs } from '../runtime/clients/sqs.ts';
import { endingPorts } from '../runtime/ending-ports.ts';
import { readEnv } from '../runtime/env.ts';
import { beginLog, logger, loggingFailure } from '../runtime/logger.ts';
import { newId } from '../runtime/random.ts';
import { workerEnvSchema } from '../runtime/worker/worker-env.ts';
import { reserveMs, workerPorts } from '../runtime/worker/worker-ports.ts';
import { finishParts, type JoinPartsResult } from './app.ts';

const env = readEnv(workerEnvSchema.extend({ TRANSCODE_QUEUE_URL: z.url() }));
const { media, ...worker } = workerPorts(env);

const work = finishParts({
  ...endingPorts(),
  ...worker,
  queue: transcodeQueue(sqs, env.TRANSCODE_QUEUE_URL),
  openDoor: (objects, signal) => openDoor(media, { objects, token: newId(), signal }),
  onUnexpected: ({ jobId }, cause) => logger.error('A join failed inside', { jobId, error: cause }),
});

export async function handler(event: unknown, context: Context): Promise<{ status: JoinPartsResult }> {
  beginLog(context);
  return loggingFailure(async () => {
    const task = joinTaskSchema.parse(event);
    const { ownerId, jobId, failed } = task;
    beginLog(context, { ownerId, jobId });
    if (failed) logger.warn('A part failed for good');
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    const status = await work(task, deadline);
    logger.info('Parts left', { status });
    return { status };
  });
}
