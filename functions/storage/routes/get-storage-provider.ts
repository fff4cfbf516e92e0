import * as z from 'zod';
import { storageProviderTable } from '../../../adapters/dynamodb/storage-provider-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { getStorageProviderContract } from '../../../core/api/storage-providers.ts';
import { getStorageProvider } from '../storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  getStorageProviderContract,
  getStorageProvider({ providers: storageProviderTable(dynamo, TABLE_NAME) }),
);
