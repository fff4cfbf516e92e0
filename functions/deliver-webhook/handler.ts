import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { deliveryJournal, endpointDeliveries } from '../../adapters/dynamodb/delivery-journal.ts';
import { slowDeliveries } from '../../adapters/dynamodb/slow-deliveries.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../adapters/dynamodb/usage-counters.ts';
import { eventBridge, eventBus } from '../../adapters/eventbridge/event-bus.ts';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { stepFunctions } from '../../adapters/runtime/clients/sfn.ts';
import { readEnv, readOwnerLimits } from '../../adapters/runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { fileLinks } from '../../adapters/runtime/media-urls.ts';
import { postWebhookDeps, startDeliveryDeps } from '../../adapters/runtime/start-delivery-deps.ts';
import { namedExecutions } from '../../adapters/stepfunctions/state-machines.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { jsonText } from '../../core/json-text.ts';
import { beginDelivery, deliverWebhook, deliveryInputSchema, deliveryRefSchema } from './app.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    DELIVERY_STATE_MACHINE_ARN: z.string(),
    EVENT_BUS_NAME: z.string(),
    LATER_ATTEMPTS_MS: jsonText(z.array(z.int().min(0))),
  }),
);

const limits = readOwnerLimits();

const deps = {
  ...startDeliveryDeps(),
  ...postWebhookDeps(),
  journal: deliveryJournal(dynamo, env.TABLE_NAME),
  files: fileLinks(),
  endpointDeliveries: endpointDeliveries(dynamo, env.TABLE_NAME),
  slowDeliveries: slowDeliveries(dynamo, env.TABLE_NAME),
  maxSlowDeliveries: limits.maxSlowDeliveries,
  maxSlowOrigins: limits.maxSlowOrigins,
  random: Math.random,
  usage: usageCounters(dynamo, env.TABLE_NAME),
  spending: spendingCounters(dynamo, env.TABLE_NAME),
  laterAttemptsMs: env.LATER_ATTEMPTS_MS,
  retries: namedExecutions(stepFunctions, env.DELIVERY_STATE_MACHINE_ARN),
  eventBus: eventBus(eventBridge, env.EVENT_BUS_NAME),
  onPublishFailed: (cause: unknown) => logger.warn('The event was not published', { error: cause }),
  onMarkFailed: (cause: unknown) => logger.warn('The slow receivers of an owner were not updated', { error: cause }),
};
const begin = beginDelivery(deps);
const deliver = deliverWebhook(deps);

/** An event of the queue, with one message, or the input of the state machine's task. */
const eventSchema = z.union([
  z
    .object({ Records: z.tuple([z.object({ body: jsonText(deliveryRefSchema) })]) })
    .transform(({ Records: [{ body }] }) => body),
  deliveryInputSchema,
]);

/** Reserved for the POST and what follows it: an outage of the table before the POST is outlasted until then. */
const reserveMs = 12_000;

export const handler = async (event: unknown, context: Context) => {
  startInvocationLog(context);
  outlastOutages(deadlineOf(context, reserveMs));
  return logFailure(async () => {
    const input = eventSchema.parse(event);
    const { ownerId, jobId, deliveryId } = input;
    const attempt = 'attempt' in input ? input.attempt : 1;
    startInvocationLog(context, { ownerId, jobId, deliveryId, attempt });
    const result = await ('attempt' in input ? deliver(input) : begin(input));
    logger.info('Delivery attempted', { status: result.status });
    return result;
  });
};
