import * as z from 'zod';
import type { StartDeliveryDeps } from '../../core/termination/terminate-job.ts';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { deliveryQueue } from '../sqs/delivery-queue.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv } from './env.ts';
import { logger } from './logger.ts';
import { meteredJobTable } from './metrics.ts';
import { newId } from './random.ts';

export function startDeliveryDeps(): StartDeliveryDeps {
  const env = readEnv(z.object({ TABLE_NAME: z.string(), DELIVERY_QUEUE_URL: z.url() }));
  return {
    jobs: meteredJobTable(env.TABLE_NAME),
    settings: settingsTable(dynamo, env.TABLE_NAME),
    deliveries: deliveryQueue(sqs, env.DELIVERY_QUEUE_URL),
    clock: systemClock,
    newId,
    onDeliveryStartFailed: ({ ownerId, jobId }, cause) =>
      logger.warn('The delivery could not be started. Reconcile starts it', { ownerId, jobId, error: cause }),
  };
}
