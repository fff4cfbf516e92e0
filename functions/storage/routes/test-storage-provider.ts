import * as z from 'zod';
import { concurrencyLimits } from '../../../adapters/dynamodb/concurrency-limits.ts';
import { providerTestSort } from '../../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { providerAccess, providerClients } from '../../../adapters/runtime/open-provider.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { storageProviders } from '../../../adapters/runtime/stage-buckets.ts';
import { readTenancy } from '../../../adapters/runtime/tenancy.ts';
import { testProvider } from '../../../adapters/storage/test-provider.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { testStorageProviderContract } from '../../../core/api/storage-providers.ts';
import { testStorageProvider } from '../storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const accessOf = providerAccess();
const clientOf = providerClients();

export const handler = route(
  testStorageProviderContract,
  testStorageProvider({
    providers: storageProviders(TABLE_NAME),
    concurrency: concurrencyLimits(dynamo, TABLE_NAME, providerTestSort),
    clock: systemClock,
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
);
