import * as z from 'zod';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { deleteKeyContract } from '../../../core/api/keys.ts';
import { deleteKey } from '../keys.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(deleteKeyContract, deleteKey({ keys: keyTable(dynamo, TABLE_NAME), clock: systemClock }));
