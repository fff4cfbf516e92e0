import type { Context } from 'aws-lambda';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { startS3RangeProxy } from '../../adapters/s3/s3-range-proxy.ts';
import { encodeChunkInputSchema, isPermanentFailure } from '../chunked/task.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { newId } from '../runtime/random.ts';
import { shutdownReserveMs, workerDeps, workerEnvSchema } from '../runtime/worker-deps.ts';
import { encodeChunk } from './app.ts';

const env = readEnv(workerEnvSchema);
const { media, ...worker } = workerDeps(env);

const work = encodeChunk({
  ...worker,
  jobs: jobTable(dynamo, env.TABLE_NAME),
  openS3RangeProxy: (objects, signal) => startS3RangeProxy(media, { objects, token: newId(), signal }),
  onUnexpected: ({ jobId }, cause) =>
    logger.error('Unexpected error in a chunk task', { jobId, error: cause }),
});

/** A permanent failure. The state machine does not retry an error of this name. */
class EncodingFailed extends Error {
  override readonly name = 'EncodingFailed';
}

export async function handler(event: unknown, context: Context): Promise<{ status: 'done' | 'lost' }> {
  startInvocationLog(context);
  return logFailure(async () => {
    const task = encodeChunkInputSchema.parse(event);
    const { ownerId, jobId, chunk } = task;
    startInvocationLog(context, { ownerId, jobId, chunk });
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - shutdownReserveMs);
    try {
      const status = await work(task, deadline);
      logger.info('Chunk task ended', { status });
      return { status };
    } catch (cause) {
      if (!isPermanentFailure(cause)) throw cause;
      throw new EncodingFailed(cause.message, { cause });
    }
  });
}
