import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { slowDeliveries } from '../../adapters/dynamodb/slow-deliveries.ts';
import { usageCounters } from '../../adapters/dynamodb/usage-counters.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { fileLinks } from '../runtime/media-urls.ts';
import { meteredJobTable } from '../runtime/metrics.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { postWebhookDeps } from '../runtime/post-webhook-deps.ts';
import { newId } from '../runtime/random.ts';
import { deliverWebhook, deliverWebhookInputSchema } from './app.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

const deliver = deliverWebhook({
  ...postWebhookDeps(),
  jobs: meteredJobTable(TABLE_NAME),
  usage: usageCounters(dynamo, TABLE_NAME),
  journal: deliveryJournal(dynamo, TABLE_NAME),
  files: fileLinks(),
  clock: systemClock,
  newId,
  slowDeliveries: slowDeliveries(dynamo, TABLE_NAME),
  maxSlowDeliveries: readOwnerLimits().maxSlowDeliveries,
});

export const handler = async (event: unknown, context: Context) => {
  startInvocationLog(context);
  return logFailure(async () => {
    const input = deliverWebhookInputSchema.parse(event);
    const { jobId, deliveryId, attempt } = input;
    startInvocationLog(context, { jobId, deliveryId, attempt });
    const result = await deliver(input);
    logger.info('Delivery attempted', { status: result.status });
    return result;
  });
};
