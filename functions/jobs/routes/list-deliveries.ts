import * as z from 'zod';
import { deliveryJournal } from '../../../adapters/dynamodb/delivery-journal.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { listDeliveriesContract } from '../../../core/api/deliveries.ts';
import { listDeliveries } from '../list-deliveries.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listDeliveriesContract,
  listDeliveries({
    jobs: jobTable(dynamo, TABLE_NAME),
    journal: deliveryJournal(dynamo, TABLE_NAME),
  }),
);
