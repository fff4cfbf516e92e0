import * as z from 'zod';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { storageProviders } from '../../../adapters/runtime/stage-buckets.ts';
import { providerSecrets } from '../../../adapters/runtime/stage-ciphers.ts';
import { readTrustedStage } from '../../../adapters/runtime/trusted-stage.ts';
import { urlRules } from '../../../adapters/runtime/url-rules.ts';
import { systemClock } from '../../../adapters/system/clock.ts';

/** The dependencies of the routes that write a storage provider. Endpoints have the schemes of webhooks: https on a deployed stage. */
export function writeProviderDeps() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    ...readTrustedStage(),
    providers: storageProviders(TABLE_NAME),
    cipher: providerSecrets(),
    clock: systemClock,
    endpointRules: urlRules().webhook,
  };
}
