import * as z from 'zod';
import type { PostLimits } from '../../core/net/ports.ts';
import { userAgent } from '../../core/version.ts';
import { webhookLimits } from '../../core/webhooks/delivery.ts';
import type { PostWebhookDeps } from '../../core/webhooks/signature.ts';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { postWebhook } from '../http/post-webhook.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { randomBytes } from './random.ts';
import { urlRules } from './url-rules.ts';

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
