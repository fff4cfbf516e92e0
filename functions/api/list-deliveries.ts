import * as z from 'zod';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { listDeliveriesContract } from '../../core/api/deliveries.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { listDeliveries } from './app/list-deliveries.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listDeliveriesContract,
  listDeliveries({
    jobs: jobTable(dynamo, TABLE_NAME),
    journal: deliveryJournal(dynamo, TABLE_NAME),
  }),
);
