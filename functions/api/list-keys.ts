import * as z from 'zod';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { listKeysContract } from '../../core/api/keys.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { listKeys } from './app/keys.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listKeysContract,
  listKeys({ keys: keyTable(dynamo, TABLE_NAME), clock: systemClock }),
);
