import * as z from 'zod';
import { permits } from '../../adapters/dynamodb/permits.ts';
import { webhookTestSort } from '../../adapters/dynamodb/table-keys.ts';
import { testWebhookContract } from '../../core/api/webhook-settings.ts';
import { webhookTestLimits } from '../../core/webhooks/delivery.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { postWebhookDeps } from '../runtime/post-webhook-deps.ts';
import { newId } from '../runtime/random.ts';
import { readTenancy } from '../runtime/tenancy.ts';
import { testWebhook } from './app/test-webhook.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  testWebhookContract,
  testWebhook({
    ...postWebhookDeps(webhookTestLimits),
    newId,
    tenancy: readTenancy(),
    permits: permits(dynamo, TABLE_NAME, webhookTestSort),
  }),
);
