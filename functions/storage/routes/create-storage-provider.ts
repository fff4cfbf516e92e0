import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { createStorageProviderContract } from '../../../core/api/storage-providers.ts';
import { createStorageProvider } from '../storage-providers.ts';
import { writeProviderDeps } from './write-provider-deps.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  createStorageProviderContract,
  createStorageProvider({
    ...writeProviderDeps(),
    newId,
    reservations: idempotencyTable(dynamo, TABLE_NAME),
  }),
);
