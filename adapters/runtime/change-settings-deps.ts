import * as z from 'zod';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { storageProviderTable } from '../dynamodb/storage-provider-table.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { urlRules } from './url-rules.ts';

/** The dependencies of the routes that change the settings of an owner. */
export function changeSettingsDeps() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    settings: settingsTable(dynamo, TABLE_NAME),
    providers: storageProviderTable(dynamo, TABLE_NAME),
    clock: systemClock,
    webhookUrlRules: urlRules().webhook,
  };
}
