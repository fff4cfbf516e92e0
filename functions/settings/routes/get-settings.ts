import * as z from 'zod';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { getSettingsContract } from '../../../core/api/settings.ts';
import { getSettings } from '../settings.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(getSettingsContract, getSettings(settingsTable(dynamo, TABLE_NAME)));
