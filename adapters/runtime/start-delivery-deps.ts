import * as z from 'zod';
import type { PostLimits } from '../../core/net/ports.ts';
import type { StartDeliveryDeps } from '../../core/termination/terminate-job.ts';
import { userAgent } from '../../core/version.ts';
import { webhookLimits } from '../../core/webhooks/delivery.ts';
import type { PostWebhookDeps } from '../../core/webhooks/signature.ts';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { postWebhook } from '../http/post-webhook.ts';
import { deliveryQueue } from '../sqs/queues.ts';
import { newId, randomBytes, systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv } from './env.ts';
import { logger } from './logger.ts';
import { meteredJobTable } from './metrics.ts';
import { urlRules } from './url-rules.ts';

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

export function postWebhookDeps(limits: PostLimits = webhookLimits): PostWebhookDeps {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  const { webhook } = urlRules();
  return {
    settings: settingsTable(dynamo, TABLE_NAME),
    post: (request) => postWebhook({ ...request, ...webhook, limits }),
    clock: systemClock,
    randomBytes,
    userAgent,
  };
}
