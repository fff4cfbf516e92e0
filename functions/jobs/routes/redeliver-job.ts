import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { startDeliveryDeps } from '../../../adapters/runtime/start-delivery-deps.ts';
import { redeliverJobContract } from '../../../core/api/deliveries.ts';
import { redeliverJob } from '../redeliver-job.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  redeliverJobContract,
  redeliverJob({
    ...startDeliveryDeps(),
    reservations: idempotencyTable(dynamo, TABLE_NAME),
    limits: readOwnerLimits(),
  }),
);
