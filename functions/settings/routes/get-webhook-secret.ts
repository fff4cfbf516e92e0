import * as z from 'zod';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { randomBytes } from '../../../adapters/runtime/random.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { getWebhookSecretContract } from '../../../core/api/webhook-settings.ts';
import { getWebhookSecret } from '../webhook-secret.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  getWebhookSecretContract,
  getWebhookSecret({ settings: settingsTable(dynamo, TABLE_NAME), clock: systemClock, randomBytes }),
);
