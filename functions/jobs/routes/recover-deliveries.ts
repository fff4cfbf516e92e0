import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { recoverDeliveriesContract } from '../../../core/api/deliveries.ts';
import { recoverDeliveries } from '../recover-deliveries.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  recoverDeliveriesContract,
  recoverDeliveries({
    jobs: jobTable(dynamo, TABLE_NAME),
    settings: settingsTable(dynamo, TABLE_NAME),
    clock: systemClock,
    newId,
    limits: readOwnerLimits(),
  }),
);
