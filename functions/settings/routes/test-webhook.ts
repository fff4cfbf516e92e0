import * as z from 'zod';
import { concurrencyLimits } from '../../../adapters/dynamodb/concurrency-limits.ts';
import { webhookTestSort } from '../../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { postWebhookDeps } from '../../../adapters/runtime/post-webhook-deps.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { readTenancy } from '../../../adapters/runtime/tenancy.ts';
import { testWebhookContract } from '../../../core/api/webhook-settings.ts';
import { webhookTestLimits } from '../../../core/webhooks/delivery.ts';
import { testWebhook } from '../test-webhook.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  testWebhookContract,
  testWebhook({
    ...postWebhookDeps(webhookTestLimits),
    newId,
    tenancy: readTenancy(),
    concurrency: concurrencyLimits(dynamo, TABLE_NAME, webhookTestSort),
  }),
);
