import * as z from 'zod';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { getSettingsContract } from '../../core/api/settings.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { getSettings } from './app/settings.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(getSettingsContract, getSettings(settingsTable(dynamo, TABLE_NAME)));
