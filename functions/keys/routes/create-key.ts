import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { newId, randomBytes } from '../../../adapters/runtime/random.ts';
import { readStageSpeeds } from '../../../adapters/runtime/stage-speeds.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { createKeyContract } from '../../../core/api/keys.ts';
import { createKey } from '../keys.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  createKeyContract,
  createKey({
    keys: keyTable(dynamo, TABLE_NAME),
    reservations: idempotencyTable(dynamo, TABLE_NAME),
    clock: systemClock,
    newId,
    randomBytes,
    limits: readOwnerLimits(),
    speeds: readStageSpeeds(),
  }),
);
