import * as z from 'zod';
import { storageProviderTable } from '../dynamodb/storage-provider-table.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { providerSecrets } from './stage-ciphers.ts';
import { readTrustedStage } from './trusted-stage.ts';
import { urlRules } from './url-rules.ts';

/** The dependencies of the routes that write a storage provider. Endpoints have the schemes of webhooks: https on a deployed stage. */
export function writeProviderDeps() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    ...readTrustedStage(),
    providers: storageProviderTable(dynamo, TABLE_NAME),
    cipher: providerSecrets(),
    clock: systemClock,
    endpointRules: urlRules().webhook,
  };
}
