import * as z from 'zod';
import { erasureRequests } from '../../adapters/dynamodb/erasures.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits } from '../../adapters/runtime/env.ts';
import { answerRoutes, route } from '../../adapters/runtime/http/route.ts';
import { readStageSpeeds } from '../../adapters/runtime/submission.ts';
import { systemClock as clock, newId, randomBytes } from '../../adapters/system/clock.ts';
import { createKeyContract, deleteKeyContract, eraseOwnerContract, listKeysContract } from '../../core/api/keys.ts';
import { createKey, deleteKey, eraseOwner, listKeys } from './keys.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const keys = keyTable(dynamo, TABLE_NAME);
const reservations = idempotencyTable(dynamo, TABLE_NAME);

export const handler = answerRoutes<'keys'>({
  listKeys: route(listKeysContract, listKeys({ keys, clock })),
  createKey: route(
    createKeyContract,
    createKey({ keys, reservations, clock, newId, randomBytes, limits: readOwnerLimits(), speeds: readStageSpeeds() }),
  ),
  deleteKey: route(deleteKeyContract, deleteKey({ keys, clock })),
  eraseOwner: route(eraseOwnerContract, eraseOwner({ keys, clock, erasures: erasureRequests(dynamo, TABLE_NAME) })),
});
