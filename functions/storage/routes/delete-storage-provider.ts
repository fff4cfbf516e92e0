import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { runningSlots } from '../../../adapters/dynamodb/running-slots.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { storageProviders } from '../../../adapters/runtime/stage-buckets.ts';
import { deleteStorageProviderContract } from '../../../core/api/storage-providers.ts';
import { deleteStorageProvider } from '../storage-providers.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  deleteStorageProviderContract,
  deleteStorageProvider({
    providers: storageProviders(TABLE_NAME),
    jobs: jobTable(dynamo, TABLE_NAME),
    slots: runningSlots(dynamo, TABLE_NAME, readOwnerLimits().maxRunningJobs),
    settings: settingsTable(dynamo, TABLE_NAME),
  }),
);
