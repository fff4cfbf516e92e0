import * as z from 'zod';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { runningLimit } from '../../adapters/dynamodb/running-limit.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { providerTestSort } from '../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits, readTenancy } from '../../adapters/runtime/env.ts';
import { answerRoutes, route } from '../../adapters/runtime/http/route.ts';
import { providerAccess, providerClients, readTrustedStage } from '../../adapters/runtime/provider-clients.ts';
import { providerSecrets } from '../../adapters/runtime/stage-ciphers.ts';
import { storageProviders, urlRules } from '../../adapters/runtime/url-rules.ts';
import { testProvider } from '../../adapters/storage/test-provider.ts';
import { systemClock as clock, newId } from '../../adapters/system/clock.ts';
import * as contracts from '../../core/api/storage-providers.ts';
import * as apps from './storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const providers = storageProviders(TABLE_NAME);
const trusted = readTrustedStage();
const accessOf = providerAccess();
const clientOf = providerClients();

/** Of the routes that write a provider. Endpoints have the schemes of webhooks: https on a deployed stage. */
const writing = { ...trusted, providers, cipher: providerSecrets(), clock, endpointRules: urlRules().webhook };

export const handler = answerRoutes<'storage'>({
  listStorageProviders: route(contracts.listStorageProvidersContract, apps.listStorageProviders({ providers })),
  createStorageProvider: route(
    contracts.createStorageProviderContract,
    apps.createStorageProvider({ ...writing, newId, reservations: idempotencyTable(dynamo, TABLE_NAME) }),
  ),
  getExternalId: route(contracts.getExternalIdContract, apps.getExternalId(trusted)),
  getStorageProvider: route(contracts.getStorageProviderContract, apps.getStorageProvider({ providers })),
  updateStorageProvider: route(contracts.updateStorageProviderContract, apps.updateStorageProvider(writing)),
  deleteStorageProvider: route(
    contracts.deleteStorageProviderContract,
    apps.deleteStorageProvider({
      providers,
      jobs: jobTable(dynamo, TABLE_NAME),
      running: runningLimit(dynamo, TABLE_NAME, readOwnerLimits().maxRunningJobs),
      settings: settingsTable(dynamo, TABLE_NAME),
    }),
  ),
  testStorageProvider: route(
    contracts.testStorageProviderContract,
    apps.testStorageProvider({
      providers,
      concurrency: concurrencyLimits(dynamo, TABLE_NAME, providerTestSort),
      clock,
      newId,
      tenancy: readTenancy(),
      test: async (provider) => {
        const { signIn } = await accessOf(provider);
        return testProvider(provider, async () => {
          const credentials = await signIn();
          return clientOf(provider, async () => credentials);
        });
      },
    }),
  ),
});
