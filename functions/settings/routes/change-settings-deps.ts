import * as z from 'zod';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { storageProviders } from '../../../adapters/runtime/stage-buckets.ts';
import { urlRules } from '../../../adapters/runtime/url-rules.ts';
import { systemClock } from '../../../adapters/system/clock.ts';

/** The dependencies of the routes that change the settings of an owner. */
export function changeSettingsDeps() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    settings: settingsTable(dynamo, TABLE_NAME),
    providers: storageProviders(TABLE_NAME),
    clock: systemClock,
    webhookUrlRules: urlRules().webhook,
  };
}
