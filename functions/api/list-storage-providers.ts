import * as z from 'zod';
import { storageProviderTable } from '../../adapters/dynamodb/storage-provider-table.ts';
import { listStorageProvidersContract } from '../../core/api/storage-providers.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { listStorageProviders } from './app/storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listStorageProvidersContract,
  listStorageProviders({ providers: storageProviderTable(dynamo, TABLE_NAME) }),
);
