import * as z from 'zod';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { postWebhook } from '../../adapters/http/post-webhook.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { downloadSigner } from '../runtime/downloads.ts';
import { readEnv } from '../runtime/env.ts';
import { newId, randomBytes } from '../runtime/random.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { userAgent } from '../runtime/user-agent.ts';
import { deliverWebhook } from './app.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const { webhook } = urlRules();
const limits = { connectMs: 5_000, totalMs: 10_000, maxResponseBytes: 64 * 1024 };

export const handler = deliverWebhook({
  jobs: jobTable(dynamo, TABLE_NAME),
  journal: deliveryJournal(dynamo, TABLE_NAME),
  settings: settingsTable(dynamo, TABLE_NAME),
  files: { signDownload: downloadSigner() },
  post: (request) => postWebhook({ ...request, ...webhook, limits }),
  clock: systemClock,
  newId,
  randomBytes,
  userAgent: userAgent(),
});
