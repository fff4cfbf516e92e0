import type { Context } from 'aws-lambda';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { openDoor } from '../../adapters/s3/media-door.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { encodeTaskSchema } from '../parts/task.ts';
import { wouldFailAgain } from '../parts/would-fail-again.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { beginLog, logger, loggingFailure } from '../runtime/logger.ts';
import { newId } from '../runtime/random.ts';
import { workerEnvSchema } from '../runtime/worker/worker-env.ts';
import { reserveMs, workerPorts } from '../runtime/worker/worker-ports.ts';
import { doPart } from './app.ts';

const env = readEnv(workerEnvSchema);
const { media, ...worker } = workerPorts(env);

const work = doPart({
  ...worker,
  jobs: jobTable(dynamo, env.TABLE_NAME),
  clock: systemClock,
  openDoor: (objects, signal) => openDoor(media, { objects, token: newId(), signal }),
  onUnexpected: ({ jobId }, cause) => logger.error('A part failed inside', { jobId, error: cause }),
});

/** A part that would fail again: by this name the state machine knows not to try. */
class EncodingFailed extends Error {
  override readonly name = 'EncodingFailed';
}

export async function handler(event: unknown, context: Context): Promise<{ status: 'done' | 'lost' }> {
  beginLog(context);
  return loggingFailure(async () => {
    const task = encodeTaskSchema.parse(event);
    const { ownerId, jobId, part } = task;
    beginLog(context, { ownerId, jobId, part });
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    try {
      const status = await work(task, deadline);
      logger.info('Part left', { status });
      return { status };
    } catch (cause) {
      if (!wouldFailAgain(cause)) throw cause;
      throw new EncodingFailed(cause.message, { cause });
    }
  });
}
