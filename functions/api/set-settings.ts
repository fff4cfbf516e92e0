import * as z from 'zod';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { storageProviderTable } from '../../adapters/dynamodb/storage-provider-table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { setSettingsContract } from '../../core/api/settings.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { changeSettings } from './app/settings.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  setSettingsContract,
  changeSettings({
    settings: settingsTable(dynamo, TABLE_NAME),
    providers: storageProviderTable(dynamo, TABLE_NAME),
    clock: systemClock,
    webhookUrlRules: urlRules().webhook,
  }),
);
