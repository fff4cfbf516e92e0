import * as z from 'zod';
import { auditLog } from '../../adapters/dynamodb/audit-log.ts';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { webhookTestSort } from '../../adapters/dynamodb/table-keys.ts';
import { watchTable } from '../../adapters/dynamodb/watch-table.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readTenancy } from '../../adapters/runtime/env.ts';
import { answerRoutes, route } from '../../adapters/runtime/http/route.ts';
import { postWebhookDeps } from '../../adapters/runtime/start-delivery-deps.ts';
import { storageProviders, urlRules } from '../../adapters/runtime/url-rules.ts';
import { readWatches } from '../../adapters/runtime/watches.ts';
import { systemClock as clock, newId, randomBytes } from '../../adapters/system/clock.ts';
import { listAuditContract } from '../../core/api/audit.ts';
import { getSettingsContract, setSettingsContract, updateSettingsContract } from '../../core/api/settings.ts';
import { listWatchesContract, pauseWatchContract, resumeWatchContract } from '../../core/api/watches.ts';
import {
  createWebhookEndpointContract,
  deleteWebhookEndpointContract,
  listWebhookEndpointsContract,
  updateWebhookEndpointContract,
} from '../../core/api/webhook-endpoints.ts';
import {
  getWebhookSecretContract,
  rotateWebhookSecretContract,
  testWebhookContract,
} from '../../core/api/webhook-settings.ts';
import { webhookTestLimits } from '../../core/webhooks/delivery.ts';
import { changeSettings, getSettings, getWebhookSecret, listAudit, rotateWebhookSecret } from './settings.ts';
import { testWebhook } from './test-webhook.ts';
import { listWatches, setPaused } from './watches.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const settings = settingsTable(dynamo, TABLE_NAME);
const providers = storageProviders(TABLE_NAME);
const watches = { watches: watchTable(dynamo, TABLE_NAME), ofStage: readWatches() };
const change = changeSettings({ settings, providers, clock, webhookUrlRules: urlRules().webhook });
const endpoints = {
  ...{ settings, randomBytes, newId, clock, webhookUrlRules: urlRules().webhook },
  reservations: idempotencyTable(dynamo, TABLE_NAME),
};

export const handler = answerRoutes<'settings'>({
  getSettings: route(
    getSettingsContract,
    getSettings({ settings, clock, jobs: jobTable(dynamo, TABLE_NAME), keys: keyTable(dynamo, TABLE_NAME) }),
  ),
  setSettings: route(setSettingsContract, change),
  updateSettings: route(updateSettingsContract, change),
  getWebhookSecret: route(getWebhookSecretContract, getWebhookSecret({ settings, clock, randomBytes })),
  rotateWebhookSecret: route(rotateWebhookSecretContract, rotateWebhookSecret({ settings, clock, randomBytes })),
  listWebhookEndpoints: route(listWebhookEndpointsContract, listWebhookEndpoints(endpoints)),
  createWebhookEndpoint: route(createWebhookEndpointContract, createWebhookEndpoint(endpoints)),
  updateWebhookEndpoint: route(updateWebhookEndpointContract, updateWebhookEndpoint(endpoints)),
  deleteWebhookEndpoint: route(deleteWebhookEndpointContract, deleteWebhookEndpoint(endpoints)),
  testWebhook: route(
    testWebhookContract,
    testWebhook({
      ...postWebhookDeps(webhookTestLimits),
      newId,
      tenancy: readTenancy(),
      concurrency: concurrencyLimits(dynamo, TABLE_NAME, webhookTestSort),
    }),
  ),
  listWatches: route(listWatchesContract, listWatches(watches)),
  pauseWatch: route(pauseWatchContract, setPaused(watches, true)),
  resumeWatch: route(resumeWatchContract, setPaused(watches, false)),
  listAudit: route(listAuditContract, listAudit(auditLog(dynamo, TABLE_NAME))),
});
