import * as z from 'zod';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { storageProviders } from '../../../adapters/runtime/stage-buckets.ts';
import { listStorageProvidersContract } from '../../../core/api/storage-providers.ts';
import { listStorageProviders } from '../storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listStorageProvidersContract,
  listStorageProviders({ providers: storageProviders(TABLE_NAME) }),
);
