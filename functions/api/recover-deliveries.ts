import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { recoverDeliveriesContract } from '../../core/api/deliveries.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { newId } from '../runtime/random.ts';
import { recoverDeliveries } from './app/recover-deliveries.ts';

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
